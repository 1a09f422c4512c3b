import type { FastifyInstance } from 'fastify'
import {
  listMessageTemplates,
  previewMessageTemplate,
  saveSmsTemplate,
  testMessageTemplate,
} from '#shared/contract/message-templates.ts'
import { MESSAGE_TEMPLATES } from '#shared/rules/message-templates.ts'
import { contextOf, previewLanguageOf } from '../../platform/http/client.ts'
import { MAIL_PREVIEW_POLICY } from '../../platform/http/headers.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { findPreviewDraft } from '../appearance-preview/index.ts'
import { describeTemplates } from './message-templates.service.ts'
import { previewMail, previewMessage } from './sample-messages.service.ts'
import { changeSmsTemplate } from './sms-settings.service.ts'
import { sendSample } from './template-test.service.ts'

type Address = { Params: { token: string; name: string } }

/**
 * The texts of messages, and the provider templates they use. A mail is previewed in a frame as mail programs show it,
 * `/auth_web/preview/<token>/message/<name>`, with the unsaved texts of the draft: it has inline styles, so it is a separate document
 * without script and origin.
 */
export function mountMessageTemplates(api: Api, app: FastifyInstance, platform: Platform): void {
  api.mount(listMessageTemplates, (ctx) => describeTemplates(ctx))
  api.mount(previewMessageTemplate, (ctx, { body }) => previewMessage(ctx, body))
  api.mount(testMessageTemplate, (ctx, { body }) => sendSample(ctx, body))
  api.mount(saveSmsTemplate, (ctx, { body }) => changeSmsTemplate(ctx, body))
  app.get<Address>('/auth_web/preview/:token/message/:name', async (request, reply) => {
    const { token, name } = request.params
    const draft = await findPreviewDraft(platform, request, token)
    const template = MESSAGE_TEMPLATES.find((one) => one === name)
    if (!draft || !template) return reply.code(404).send()
    const language = previewLanguageOf(request)
    const wanted = { name: template, language, texts: draft.texts?.[language] ?? {} }
    const { html } = await previewMail(contextOf(platform, request), wanted)
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': MAIL_PREVIEW_POLICY, 'x-frame-options': 'SAMEORIGIN' })
      .send(html)
  })
}
