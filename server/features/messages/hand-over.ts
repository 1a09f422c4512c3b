import type { Language } from '#shared/contract/endpoint.ts'
import type { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { randomToken } from '../../platform/crypto.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { notSent, type Outcome } from '../../platform/sending.ts'
import { sendByAliyun } from '../../platform/sms/aliyun.ts'
import { sendByGateway } from '../../platform/sms/http-gateway.ts'
import { sendByTencent } from '../../platform/sms/tencent.ts'
import { schoolGateway } from '../appearance/index.ts'
import { withoutSecretIn } from './gateway-secrets.ts'
import { mailGateway, messageLimits, smsGateway } from './gateways.service.ts'
import { mailBody } from './mail.render.ts'
import type { Channel } from './messages.store.ts'
import { keepInOutbox } from './outbox.service.ts'
import { eventOf, kindOf, type Params, type Rendered, renderTemplate } from './templates.ts'
import type { TemplateName } from './wording.ts'

export type Letter = {
  id: string
  channel: Channel
  template: TemplateName
  language: Language
  expiresAt: Date
  to: string
  params: Params
  /** When it happened. */
  at: Date
}

type HandedOver = { gateway: string; outcome: Outcome }

/** One attempt: through what is configured for the channel, or in a demo into the outbox. */
export async function handOver(platform: Platform, letter: Letter): Promise<HandedOver> {
  if (letter.channel === 'mail') {
    const server = await mailGateway(platform)
    if (server) return { gateway: 'smtp', outcome: await mailThrough(platform, server, letter) }
  } else {
    const provider = await smsGateway(platform)
    if (provider) return { gateway: provider.provider, outcome: await smsThrough(platform, provider, letter) }
  }
  if (!platform.config.demo) return { gateway: 'none', outcome: notSent('unreachable', 'no gateway is configured') }
  await keepInOutbox(platform, letter, (await write(platform, letter)).rendered)
  return { gateway: 'outbox', outcome: { sent: true, gatewayId: null } }
}

/** One attempt through a mail server that need not be the stored one. */
export async function mailThrough(platform: Platform, server: MailGateway, letter: Letter): Promise<Outcome> {
  const { rendered, params } = await write(platform, letter)
  const school = String(params['school'])
  const code = kindOf(letter.template) === 'code' ? String(params['code'] ?? '') : null
  const outcome = await sendMail(server, {
    id: letter.id,
    from: { name: school, address: server.from },
    to: letter.to,
    subject: rendered.subject,
    ...mailBody({ school, text: rendered.text, language: letter.language, code }),
    language: languageTag(letter.language),
  })
  return withoutSecretIn(outcome, server)
}

/** One attempt through an SMS provider that need not be the stored one. */
export const smsThrough = async (platform: Platform, provider: SmsGateway, letter: Letter): Promise<Outcome> =>
  withoutSecretIn(await textThrough(platform, provider, letter), provider)

async function textThrough(platform: Platform, provider: SmsGateway, letter: Letter): Promise<Outcome> {
  const { rendered, params } = await write(platform, letter)
  const kind = kindOf(letter.template)
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  const { id, template, to: phone, expiresAt } = letter
  const message = { id, kind, phone, text: rendered.sms, template, values, expiresAt }
  const around = { fetch: platform.fetch, now: platform.now(), nonce: randomToken(32) }
  if (provider.provider === 'gateway') return await sendByGateway(provider, message, around)
  const vendorTemplate = kind === 'code' ? provider.codeTemplate : provider.noticeTemplate
  if (vendorTemplate === null) return notSent('template', 'no template for notices is configured')
  const chosen = { template: vendorTemplate, values: kind === 'code' ? provider.codeValues : provider.noticeValues }
  if (provider.provider === 'aliyun') return await sendByAliyun({ ...provider, ...chosen }, message, around)
  return await sendByTencent({ ...provider, ...chosen }, message, around)
}

async function write(platform: Platform, letter: Letter): Promise<{ rendered: Rendered; params: Params }> {
  const params = await allParams(platform, letter)
  return { params, rendered: await renderTemplate(platform, letter.template, letter.language, params) }
}

/** What every wording may name, besides what the sender of the message gave. */
async function allParams(platform: Platform, { language, template, params, at }: Letter): Promise<Params> {
  const { schoolName } = await schoolGateway(platform, language)
  const { timeZone } = await messageLimits(platform)
  const time = new Intl.DateTimeFormat(languageTag(language), {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(at)
  // The address comes from the configuration alone: a request's Host header is whatever its sender wrote.
  const url = `${platform.config.publicUrl}/auth_web/`
  return { school: schoolName, url, time, event: eventOf(template, language), ...params }
}
