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
import { mergeSettings } from '../../platform/settings.ts'
import { recordAudit } from '../records/index.ts'
import { maskSecret, withStoredSecret } from './gateway-secrets.rules.ts'
import { findMailGateway, findSmsGateway, sealGateway } from './gateways.service.ts'
import { findChannelsDown, findSettingsStates, lockSettingsVersion, resetGateway } from './gateways.store.ts'
import type { Channel } from './messages.store.ts'

type GatewaysState = z.input<typeof queryMessageGateways.output>

export async function describeGateways(ctx: Context): Promise<GatewaysState> {
  const [mail, sms, stored, down] = await Promise.all([
    findMailGateway(ctx),
    findSmsGateway(ctx),
    findSettingsStates(ctx.db),
    findChannelsDown(ctx.db, ctx.now()),
  ])
  return {
    mail: { ...stored.mail, gateway: mail && maskSecret(mail), isDown: down.has('mail') },
    sms: { ...stored.sms, gateway: sms && maskSecret(sms), isDown: down.has('sms') },
  }
}

export async function changeMailGateway(ctx: Context, input: z.output<typeof saveMailGateway.body>) {
  const stored = await findMailGateway(ctx)
  return await changeGateway(
    ctx,
    'mail',
    input.version,
    stored,
    input.gateway && withStoredSecret(input.gateway, stored),
  )
}

export async function changeSmsGateway(ctx: Context, input: z.output<typeof saveSmsGateway.body>) {
  const stored = await findSmsGateway(ctx)
  return await changeGateway(
    ctx,
    'sms',
    input.version,
    stored,
    input.gateway && withStoredSecret(input.gateway, stored),
  )
}

type Gateway = MailGateway | SmsGateway

/**
 * Puts a former gateway back, in the caller's transaction: with the secret of the present one, if it goes to the same place.
 * @param gateway as its audit line keeps it, stars for the secret.
 * @throws Refusal `settings.secret-needed`.
 */
export async function restoreGateway(ctx: Context, channel: Channel, gateway: Gateway | null): Promise<void> {
  const stored: Gateway | null = channel === 'mail' ? await findMailGateway(ctx) : await findSmsGateway(ctx)
  await storeGateway(ctx, channel, gateway && withStoredSecret(gateway, stored))
}

async function changeGateway(
  ctx: Context,
  channel: Channel,
  version: number,
  before: Gateway | null,
  after: Gateway | null,
) {
  return await transaction(ctx, async (inner) => {
    if ((await lockSettingsVersion(inner.db, channel)) !== version) {
      throw common['version.conflict']({ data: { current: (await describeGateways(inner))[channel] } })
    }
    await storeGateway(inner, channel, after)
    await recordAudit(inner, {
      action: 'message-gateway.change',
      targetKind: 'settings',
      targetId: channel,
      before: before && maskSecret(before),
      after: after && maskSecret(after),
    })
    return { version: await lockSettingsVersion(inner.db, channel) }
  })
}

/** Writes how a channel's messages leave, in the caller's transaction; what was known about the former gateway is forgotten. */
export async function storeGateway(ctx: Context, channel: Channel, gateway: Gateway | null): Promise<void> {
  await mergeSettings(ctx, channel, sealGateway(ctx.secrets, gateway))
  await resetGateway(ctx.db, channel)
}
