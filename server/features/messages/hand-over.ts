import type { Language } from '#shared/contract/endpoint.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { Platform } from '../../platform/platform.ts'
import { notSent, type Outcome } from '../../platform/sending.ts'
import { schoolGateway } from '../appearance/index.ts'
import { mailGateway, messageLimits, smsGateway } from './gateways.service.ts'
import type { Contents } from './messages.delivery.ts'
import type { Claimed } from './messages.store.ts'
import { keepInOutbox } from './outbox.service.ts'
import { type Params, renderTemplate } from './templates.ts'

type HandedOver = { gateway: string; outcome: Outcome }

/** One attempt: through what is configured for the channel, or in a demo into the outbox. */
export async function handOver(platform: Platform, message: Claimed, contents: Contents): Promise<HandedOver> {
  const gateway = message.channel === 'mail' ? await mailGateway(platform) : await smsGateway(platform)
  const params = await allParams(platform, message.language, contents)
  const rendered = await renderTemplate(platform, message.template, message.language, params)
  if (gateway === null && platform.config.demo) {
    await keepInOutbox(platform, message, contents.to, rendered)
    return { gateway: 'outbox', outcome: { sent: true, gatewayId: null } }
  }
  return { gateway: 'none', outcome: notSent('unreachable', 'no gateway is configured') }
}

/** What every wording may name, besides what the sender of the message gave. */
async function allParams(platform: Platform, language: Language, { params, at }: Contents): Promise<Params> {
  const { schoolName } = await schoolGateway(platform, language)
  const { timeZone } = await messageLimits(platform)
  const time = new Intl.DateTimeFormat(languageTag(language), {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(at)
  // The address comes from the configuration alone: a request's Host header is whatever its sender wrote.
  return { school: schoolName, url: `${platform.config.publicUrl}/auth_web/`, time, ...params }
}
