import type { MessagePreview, previewMessageTemplate } from '#shared/contract/message-templates.ts'
import { formatMessage, languageTag } from '#shared/rules/format-message.ts'
import { givenValues, type TemplateName } from '#shared/rules/message-templates.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { errors as languageErrors } from '../languages/index.ts'
import {
  findSmsGateway,
  findSmsTemplate,
  loadInstitutionZone,
  type MessageContent,
  type Params,
  renderMail,
  renderMessage,
} from '../messages/index.ts'

type PreviewRequest = Input<typeof previewMessageTemplate>['body']

/** The person a message is about; invented in a preview. */
type Subject = { name: string; account: string }
const SOMEBODY: Subject = { name: '李雷', account: '20260001' }

/** Sample values for everything that the sender of the message provides. */
async function sampleParams(ctx: Context, name: TemplateName, language: string, about: Subject): Promise<Params> {
  const timeZone = await loadInstitutionZone(ctx)
  const date = new Intl.DateTimeFormat(languageTag(language), { timeZone, dateStyle: 'long' }).format(ctx.now())
  const sentence = sampleReason(ctx, name, language, about)
  const samples: Params = {
    name: about.name,
    account: about.account,
    code: '123456',
    minutes: 5,
    days: 7,
    link: `${ctx.config.publicUrl}/auth_web/activation?code=sample`,
    date,
    address: '192.0.2.10',
    people: 48_000,
    dormant: 12_000,
    locked: 300,
    told: 900,
    total: 1,
    sync: 'HR',
    first: sentence,
    said: sentence,
    url: `${ctx.config.publicUrl}/auth_web/manage/${name === 'notice.sync-held' ? 'org-sync-detail' : 'log-insights'}`,
  }
  return Object.fromEntries(givenValues(name).map((value) => [value, samples[value] ?? '…']))
}

/** The reason in a message to administrators. */
function sampleReason(ctx: Context, name: TemplateName, language: string, { name: person, account }: Subject): string {
  if (name === 'notice.sync-held')
    return ctx.translate(language, 'directory-sync.held.missing', { shown: '1,200', of: '10,000', threshold: 5 })
  return ctx.translate(language, 'log-insight.said.failing-account', { person, account, total: '25', hours: '1' })
}

/** A message with sample values. @throws Refusal `language.not-found`. */
export async function sampleMessage(
  ctx: Context,
  { name, language }: Pick<PreviewRequest, 'name' | 'language'>,
  about: Subject = SOMEBODY,
): Promise<MessageContent> {
  if (!ctx.wording.languages().some(({ code }) => code === language)) throw languageErrors['language.not-found']()
  return { template: name, language, params: await sampleParams(ctx, name, language, about), at: ctx.now() }
}

/** Uses these texts instead of the saved ones. */
function withTexts(ctx: Context, { language, texts }: Pick<PreviewRequest, 'language' | 'texts'>): Context {
  const messages = { ...ctx.wording.messages(language), ...texts }
  return {
    ...ctx,
    translate: (asked, key, params = {}) =>
      asked === language ? formatMessage(messages, language, key, params) : ctx.translate(asked, key, params),
  }
}

/** The mail as it would be sent, including unsaved texts. */
export async function previewMail(ctx: Context, request: PreviewRequest) {
  return await renderMail(withTexts(ctx, request), await sampleMessage(ctx, request))
}

export async function previewMessage(ctx: Context, request: PreviewRequest): Promise<MessagePreview> {
  const message = await sampleMessage(ctx, request)
  const drafted = withTexts(ctx, request)
  const [mail, { rendered, params }] = [await renderMail(drafted, message), await renderMessage(drafted, message)]
  const gateway = await findSmsGateway(ctx)
  const { school, subject, text } = mail
  const shown = { school, subject, text, sms: rendered.sms }
  if (gateway === null || gateway.provider === 'gateway' || request.name.startsWith('link.'))
    return { ...shown, provider: null }
  const chosen = await findSmsTemplate(ctx, gateway, message)
  const values = (chosen?.values ?? []).map((name) => ({ name, value: String(params[name] ?? '') }))
  return { ...shown, provider: { id: chosen?.template ?? null, values } }
}
