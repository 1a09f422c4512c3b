import type { z } from 'zod'
import type {
  MailGateway,
  queryMessageGateways,
  SmsGateway,
  saveMailGateway,
  saveSmsGateway,
} from '#shared/contract/message-gateways.ts'
import { errors as common } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { writeSettings } from '../../platform/settings.ts'
import { recordAudit } from '../records/index.ts'
import { withoutSecret, withSecret } from './gateway-secrets.ts'
import { mailGateway, sealGateway, smsGateway } from './gateways.service.ts'
import { channelsDown, lockedSettingsVersion, resetGateway, settingsVersions } from './gateways.store.ts'
import type { Channel } from './messages.store.ts'

type State = z.input<typeof queryMessageGateways.output>

export async function describeGateways(ctx: Context): Promise<State> {
  const [mail, sms, versions, down] = await Promise.all([
    mailGateway(ctx),
    smsGateway(ctx),
    settingsVersions(ctx.db),
    channelsDown(ctx.db, ctx.now()),
  ])
  return {
    mail: { version: versions.mail, gateway: mail && withoutSecret(mail), isDown: down.has('mail') },
    sms: { version: versions.sms, gateway: sms && withoutSecret(sms), isDown: down.has('sms') },
  }
}

export async function changeMailGateway(ctx: Context, input: z.output<typeof saveMailGateway.body>) {
  const stored = await mailGateway(ctx)
  return await change(ctx, 'mail', input.version, stored, input.gateway && withSecret(input.gateway, stored))
}

export async function changeSmsGateway(ctx: Context, input: z.output<typeof saveSmsGateway.body>) {
  const stored = await smsGateway(ctx)
  return await change(ctx, 'sms', input.version, stored, input.gateway && withSecret(input.gateway, stored))
}

type Gateway = MailGateway | SmsGateway

/**
 * Puts a former gateway back, in the caller's transaction: with the secret of the present one, if it goes to the same place.
 * @param gateway as its audit line keeps it, stars for the secret.
 * @throws Refusal `message-gateway.secret-needed`.
 */
export async function restoreGateway(ctx: Context, channel: Channel, gateway: Gateway | null): Promise<void> {
  const stored: Gateway | null = channel === 'mail' ? await mailGateway(ctx) : await smsGateway(ctx)
  await storeGateway(ctx, channel, gateway && withSecret(gateway, stored))
}

async function change(ctx: Context, channel: Channel, version: number, before: Gateway | null, after: Gateway | null) {
  return await transaction(ctx, async (inner) => {
    if ((await lockedSettingsVersion(inner.db, channel)) !== version) throw common['version.conflict']()
    await storeGateway(inner, channel, after)
    await recordAudit(inner, {
      action: 'message-gateway.change',
      targetKind: 'settings',
      targetId: channel,
      before: before && withoutSecret(before),
      after: after && withoutSecret(after),
    })
    return { version: await lockedSettingsVersion(inner.db, channel) }
  })
}

/** Writes how a channel's messages leave, in the caller's transaction; what was known about the former gateway is forgotten. */
export async function storeGateway(ctx: Context, channel: Channel, gateway: Gateway | null): Promise<void> {
  await writeSettings(ctx, channel, sealGateway(ctx.secrets, gateway))
  await resetGateway(ctx.db, channel)
}
