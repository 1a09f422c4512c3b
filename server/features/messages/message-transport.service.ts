import type { HttpChannel, MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { templateKind } from '#shared/rules/message-templates.ts'
import { randomToken } from '../../platform/crypto.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { type DeliveryOutcome, deliveryFailure } from '../../platform/message-delivery.ts'
import type { Platform } from '../../platform/platform.ts'
import { sendByAliyun } from '../../platform/sms/aliyun.ts'
import { postToGateway, sendByHttpGateway } from '../../platform/sms/http-gateway.ts'
import { sendByTencent } from '../../platform/sms/tencent.ts'
import { loadSchoolGateway } from '../appearance/index.ts'
import { redactSecret } from './gateway-secrets.rules.ts'
import { findHttpChannel, findMailGateway, findSmsGateway, loadMessageLimits } from './gateways.service.ts'
import { fillHttpBody } from './http-body.rules.ts'
import { type MailBody, renderMailBody } from './mail.render.ts'
import { storeInOutbox } from './outbox.service.ts'
import type { MessageContent, OutgoingMessage } from './outgoing-message.types.ts'
import { findSmsTemplate } from './sms-templates.service.ts'
import { type Params, type Rendered, renderTemplate, templateEvent } from './templates.service.ts'
import { sendByVendor } from './vendor-transport.service.ts'

type TransportResult = { gateway: string; outcome: DeliveryOutcome }

/** One attempt: through the channel's configured gateway, or in a demo into the outbox. */
export async function transportMessage(platform: Platform, letter: OutgoingMessage): Promise<TransportResult> {
  const result = await TRANSPORTS[letter.channel](platform, letter)
  if (result) return result
  if (!platform.config.demo)
    return { gateway: 'none', outcome: deliveryFailure('unreachable', 'no gateway is configured') }
  await storeInOutbox(platform, letter, (await renderMessage(platform, letter)).rendered)
  return { gateway: 'outbox', outcome: { sent: true, gatewayId: null } }
}

/** Null: the channel is not configured. */
type Transport = (platform: Platform, letter: OutgoingMessage) => Promise<TransportResult | null>

const throughVendor =
  (channel: 'wecom' | 'dingtalk'): Transport =>
  async (platform, letter) => {
    const { rendered } = await renderMessage(platform, letter)
    const outcome = await sendByVendor(platform, channel, { to: letter.to, text: rendered.sms })
    return outcome && { gateway: channel, outcome }
  }

const TRANSPORTS: Readonly<Record<MessageChannel, Transport>> = {
  async mail(platform, letter) {
    const server = await findMailGateway(platform)
    return server && { gateway: 'smtp', outcome: await sendMailThrough(platform, server, letter) }
  },
  async sms(platform, letter) {
    const provider = await findSmsGateway(platform)
    return provider && { gateway: provider.provider, outcome: await sendSmsThrough(platform, provider, letter) }
  },
  wecom: throughVendor('wecom'),
  dingtalk: throughVendor('dingtalk'),
  async http(platform, letter) {
    const gateway = await findHttpChannel(platform)
    return gateway && { gateway: 'http', outcome: await sendToPlatform(platform, gateway, letter) }
  },
}

async function sendToPlatform(
  platform: Platform,
  gateway: HttpChannel,
  letter: OutgoingMessage,
): Promise<DeliveryOutcome> {
  const { rendered, params } = await renderMessage(platform, letter)
  const kind = templateKind(letter.template)
  const body = fillHttpBody(gateway.body, {
    id: letter.id,
    type: kind === 'code' ? 'verify_code' : 'security_alert',
    template: letter.template,
    language: languageTag(letter.language),
    account: letter.to,
    title: rendered.subject,
    text: rendered.sms,
    code: kind === 'code' ? String(params['code'] ?? '') : '',
    expireAt: letter.expiresAt.toISOString(),
  })
  const around = { fetch: platform.fetch, now: platform.now(), nonce: randomToken(32) }
  return redactSecret(await postToGateway(gateway, body, around), gateway)
}

/** One attempt through a given mail server, stored or not. */
export async function sendMailThrough(
  platform: Platform,
  server: MailGateway,
  letter: OutgoingMessage,
): Promise<DeliveryOutcome> {
  const { school, subject, text, html } = await renderMail(platform, letter)
  const outcome = await sendMail(server, {
    id: letter.id,
    from: { name: school, address: server.from },
    to: letter.to,
    subject,
    text,
    html,
    language: languageTag(letter.language),
  })
  return redactSecret(outcome, server)
}

/** A mail as it is sent. */
export async function renderMail(
  platform: Platform,
  letter: MessageContent,
): Promise<MailBody & { school: string; subject: string }> {
  const { rendered, params } = await renderMessage(platform, letter)
  const school = String(params['school'])
  const code = templateKind(letter.template) === 'code' ? String(params['code'] ?? '') : null
  const footer = platform.translate(letter.language, 'message.footer', { school })
  const direction = platform.wording.directionOf(letter.language)
  const body = renderMailBody({ school, text: rendered.text, footer, language: letter.language, direction, code })
  return { school, subject: rendered.subject, ...body }
}

/** One attempt through a given SMS provider, stored or not. */
export const sendSmsThrough = async (
  platform: Platform,
  provider: SmsGateway,
  letter: OutgoingMessage,
): Promise<DeliveryOutcome> => redactSecret(await sendText(platform, provider, letter), provider)

async function sendText(platform: Platform, provider: SmsGateway, letter: OutgoingMessage): Promise<DeliveryOutcome> {
  const { rendered, params } = await renderMessage(platform, letter)
  const kind = templateKind(letter.template)
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  const { id, template, to: phone, expiresAt } = letter
  const message = { id, kind, phone, text: rendered.sms, template, values, expiresAt }
  const around = { fetch: platform.fetch, now: platform.now(), nonce: randomToken(32) }
  if (provider.provider === 'gateway') return await sendByHttpGateway(provider, message, around)
  const chosen = await findSmsTemplate(platform, provider, letter)
  if (chosen === null) return deliveryFailure('template', 'no template for notices is configured')
  if (provider.provider === 'aliyun') return await sendByAliyun({ ...provider, ...chosen }, message, around)
  return await sendByTencent({ ...provider, ...chosen }, message, around)
}

export async function renderMessage(
  platform: Platform,
  letter: MessageContent,
): Promise<{ rendered: Rendered; params: Params }> {
  const params = await templateParams(platform, letter)
  return { params, rendered: await renderTemplate(platform, letter.template, letter.language, params) }
}

/** The parameters available to every text, besides those given by the sender of the message. */
async function templateParams(platform: Platform, { language, template, params, at }: MessageContent): Promise<Params> {
  const { schoolName } = await loadSchoolGateway(platform, language)
  const { timeZone } = await loadMessageLimits(platform)
  const time = new Intl.DateTimeFormat(languageTag(language), {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(at)
  // From the configuration only: a request's Host header can be forged.
  const url = `${platform.config.publicUrl}/auth_web/`
  return { school: schoolName, url, time, event: templateEvent(platform, template, language, params), ...params }
}
