import type { z } from 'zod'
import type {
  HttpChannel,
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
import { findHttpChannel, findMailGateway, findSmsGateway, sealGateway } from './gateways.service.ts'
import {
  findChannelsDown,
  findSettingsStates,
  type GatewayDocument,
  lockSettingsVersion,
  resetGateway,
} from './gateways.store.ts'

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
  return await changeGateway(ctx, 'mail', input.version, input.gateway)
}

export async function changeSmsGateway(ctx: Context, input: z.output<typeof saveSmsGateway.body>) {
  return await changeGateway(ctx, 'sms', input.version, input.gateway)
}

/** Sets the institution's own message platform. @throws Refusal as for the others; the caller adds what is stored now. */
export async function changeHttpChannel(ctx: Context, version: number, gateway: HttpChannel | null) {
  return await changeGateway(ctx, 'messageGateway', version, gateway)
}

/** The platform with its secret masked. */
export async function describeHttpChannel(ctx: Context) {
  const [gateway, { messageGateway }] = await Promise.all([findHttpChannel(ctx), findSettingsStates(ctx.db)])
  return { ...messageGateway, gateway: gateway && maskSecret(gateway) }
}

type Gateway = MailGateway | SmsGateway | HttpChannel

const FINDERS = { mail: findMailGateway, sms: findSmsGateway, messageGateway: findHttpChannel } as const
const CHANNELS = { mail: 'mail', sms: 'sms', messageGateway: 'http' } as const

/**
 * Restores a former gateway in the caller's transaction: with the secret of the current one, if it has the same destination.
 * @param gateway from its audit record, with the secret masked
 * @throws Refusal `settings.secret-needed`.
 */
export async function restoreGateway(ctx: Context, document: GatewayDocument, gateway: Gateway | null): Promise<void> {
  const stored: Gateway | null = await FINDERS[document](ctx)
  await storeGateway(ctx, document, gateway && withStoredSecret(gateway, stored))
}

/** @param given with the secret masked if it stays. @throws Refusal `settings.set-by-file`, `settings.secret-needed`, `version.conflict`. */
async function changeGateway(ctx: Context, document: GatewayDocument, version: number, given: Gateway | null) {
  return await transaction(ctx, async (inner) => {
    // Before anybody looks for a secret that could not be saved.
    if ((await findSettingsStates(inner.db))[document].isSetByFile)
      throw common['settings.set-by-file']({ params: { field: document }, data: { fields: [] } })
    const before: Gateway | null = await FINDERS[document](inner)
    const after = given && withStoredSecret(given, before)
    if ((await lockSettingsVersion(inner.db, document)) !== version) {
      if (document === 'messageGateway') throw common['version.conflict']()
      throw common['version.conflict']({ data: { current: (await describeGateways(inner))[document] } })
    }
    await storeGateway(inner, document, after)
    await recordAudit(inner, {
      action: 'message-gateway.change',
      targetKind: 'settings',
      targetId: document,
      before: before && maskSecret(before),
      after: after && maskSecret(after),
    })
    return { version: await lockSettingsVersion(inner.db, document) }
  })
}

/** Stores how a channel's messages are sent, in the caller's transaction; forgets the state of the former gateway. */
export async function storeGateway(ctx: Context, document: GatewayDocument, gateway: Gateway | null): Promise<void> {
  await mergeSettings(ctx, document, sealGateway(ctx.secrets, gateway))
  await resetGateway(ctx.db, CHANNELS[document])
}
