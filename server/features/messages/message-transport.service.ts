import type { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { randomToken } from '../../platform/crypto.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { type DeliveryOutcome, deliveryFailure } from '../../platform/message-delivery.ts'
import type { Platform } from '../../platform/platform.ts'
import { sendByAliyun } from '../../platform/sms/aliyun.ts'
import { sendByHttpGateway } from '../../platform/sms/http-gateway.ts'
import { sendByTencent } from '../../platform/sms/tencent.ts'
import { loadSchoolGateway } from '../appearance/index.ts'
import { redactSecret } from './gateway-secrets.rules.ts'
import { findMailGateway, findSmsGateway, loadMessageLimits } from './gateways.service.ts'
import { renderMailBody } from './mail.render.ts'
import { storeInOutbox } from './outbox.service.ts'
import type { OutgoingMessage } from './outgoing-message.types.ts'
import { type Params, type Rendered, renderTemplate, templateEvent, templateKind } from './templates.service.ts'

type TransportResult = { gateway: string; outcome: DeliveryOutcome }

/** One attempt: through what is configured for the channel, or in a demo into the outbox. */
export async function transportMessage(platform: Platform, letter: OutgoingMessage): Promise<TransportResult> {
  if (letter.channel === 'mail') {
    const server = await findMailGateway(platform)
    if (server) return { gateway: 'smtp', outcome: await sendMailThrough(platform, server, letter) }
  } else {
    const provider = await findSmsGateway(platform)
    if (provider) return { gateway: provider.provider, outcome: await sendSmsThrough(platform, provider, letter) }
  }
  if (!platform.config.demo)
    return { gateway: 'none', outcome: deliveryFailure('unreachable', 'no gateway is configured') }
  await storeInOutbox(platform, letter, (await renderMessage(platform, letter)).rendered)
  return { gateway: 'outbox', outcome: { sent: true, gatewayId: null } }
}

/** One attempt through a mail server that need not be the stored one. */
export async function sendMailThrough(
  platform: Platform,
  server: MailGateway,
  letter: OutgoingMessage,
): Promise<DeliveryOutcome> {
  const { rendered, params } = await renderMessage(platform, letter)
  const school = String(params['school'])
  const code = templateKind(letter.template) === 'code' ? String(params['code'] ?? '') : null
  const footer = platform.translate(letter.language, 'message.footer', { school })
  const direction = platform.wording.directionOf(letter.language)
  const outcome = await sendMail(server, {
    id: letter.id,
    from: { name: school, address: server.from },
    to: letter.to,
    subject: rendered.subject,
    ...renderMailBody({ school, text: rendered.text, footer, language: letter.language, direction, code }),
    language: languageTag(letter.language),
  })
  return redactSecret(outcome, server)
}

/** One attempt through an SMS provider that need not be the stored one. */
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
  const vendorTemplate = kind === 'code' ? provider.codeTemplate : provider.noticeTemplate
  if (vendorTemplate === null) return deliveryFailure('template', 'no template for notices is configured')
  const chosen = { template: vendorTemplate, values: kind === 'code' ? provider.codeValues : provider.noticeValues }
  if (provider.provider === 'aliyun') return await sendByAliyun({ ...provider, ...chosen }, message, around)
  return await sendByTencent({ ...provider, ...chosen }, message, around)
}

async function renderMessage(
  platform: Platform,
  letter: OutgoingMessage,
): Promise<{ rendered: Rendered; params: Params }> {
  const params = await templateParams(platform, letter)
  return { params, rendered: await renderTemplate(platform, letter.template, letter.language, params) }
}

/** What every wording may name, besides what the sender of the message gave. */
async function templateParams(
  platform: Platform,
  { language, template, params, at }: OutgoingMessage,
): Promise<Params> {
  const { schoolName } = await loadSchoolGateway(platform, language)
  const { timeZone } = await loadMessageLimits(platform)
  const time = new Intl.DateTimeFormat(languageTag(language), {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(at)
  // The address comes from the configuration alone: a request's Host header is whatever its sender wrote.
  const url = `${platform.config.publicUrl}/auth_web/`
  return { school: schoolName, url, time, event: templateEvent(platform, template, language, params), ...params }
}
