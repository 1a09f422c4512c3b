import type { FastifyRequest } from 'fastify'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { schoolGateway } from '../appearance/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { beforeAdding, beforeChanging, isDemanded, noteAdded, noteRemoved, writeRecoveryCodes } from './changes.ts'
import { hasSecondFactor } from './door.ts'
import { relyingPartyId } from './passkeys.challenge.ts'
import { passkeysOf } from './passkeys.store.ts'
import { errors } from './second-factors.errors.ts'
import { findOverview, lockSecondFactors, saveTotp } from './second-factors.store.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'
import { deleteTrustedDevices, trustedDevicesOf } from './trusted-devices.store.ts'
import { trustHashOf } from './trusted-devices.ts'

export async function overview(ctx: Context, request: FastifyRequest): Promise<SecondFactors> {
  const { userId, lacksFactor } = callerOf(ctx)
  const [found, passkeys, trusted, { trustedBrowserDays }] = await Promise.all([
    findOverview(ctx.db, userId, ctx.now()),
    passkeysOf(ctx.db, userId),
    trustedDevicesOf(ctx.db, userId, ctx.now()),
    signInPolicy(ctx),
  ])
  if (!found) throw platformErrors['session.required']()
  const { totpSince, totpUsedAt, codesLeft, codesTotal } = found
  const here = trustHashOf(ctx, request)
  return {
    demanded: await isDemanded(ctx, found),
    due: lacksFactor,
    totp: totpSince && { since: totpSince.toISOString(), lastUsedAt: totpUsedAt?.toISOString() ?? null },
    recoveryCodes: codesTotal > 0 ? { left: codesLeft, total: codesTotal } : null,
    passkeysAvailable: relyingPartyId(ctx.config) !== null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, backedUp }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      backedUp,
    })),
    trustedBrowserDays,
    trustedBrowsers: trusted.map(({ id, secretHash, browser, device, ip, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      browser,
      device,
      ip,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      current: here?.equals(secretHash) ?? false,
    })),
  }
}

const SETUP = 'totp-setup'
const SETUP_SECONDS = 600
type Setup = { sealed: string; userId: string }

/** A new secret, good for nothing until a code made with it comes back. */
export async function startTotp(ctx: Context): Promise<{ secret: string; uri: string }> {
  await beforeAdding(ctx)
  const { userId, sessionId } = callerOf(ctx)
  const [found, { schoolName }] = await Promise.all([
    findOverview(ctx.db, userId, ctx.now()),
    schoolGateway(ctx, ctx.client.language),
  ])
  if (!found) throw platformErrors['session.required']()
  const secret = newTotpSecret()
  const setup: Setup = { sealed: ctx.secrets.seal(secret), userId }
  await ctx.state.put(SETUP, sessionId, setup, SETUP_SECONDS)
  return { secret, uri: totpUri(secret, schoolName, found.account) }
}

/** @throws Refusal `second-factor.setup-expired`, `second-factor.code-wrong`. */
export async function confirmTotp(ctx: Context, code: string): Promise<{ recoveryCodes: string[] | null }> {
  await beforeAdding(ctx)
  const { userId, sessionId } = callerOf(ctx)
  const setup = await ctx.state.peek<Setup>(SETUP, sessionId)
  if (setup?.userId !== userId) throw errors['second-factor.setup-expired']()
  const step = stepOfCode(ctx.secrets.open(setup.sealed), code, ctx.now())
  if (step === null) throw errors['second-factor.code-wrong']()
  if (!(await ctx.state.take(SETUP, sessionId))) throw errors['second-factor.setup-expired']()
  const recoveryCodes = await transaction(ctx, async (inner) => {
    await lockSecondFactors(inner.db, userId, inner.now())
    await saveTotp(inner.db, userId, setup.sealed, step, inner.now())
    return await noteAdded(inner, 'totp', null)
  })
  return { recoveryCodes }
}

export async function removeTotp(ctx: Context): Promise<null> {
  await beforeChanging(ctx)
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    const { secret } = await lockSecondFactors(inner.db, userId, inner.now())
    if (secret === null) return
    await saveTotp(inner.db, userId, null, 0, inner.now())
    await noteRemoved(inner, 'totp', null)
  })
  return null
}

export async function renewRecoveryCodes(ctx: Context): Promise<{ recoveryCodes: string[] }> {
  await beforeChanging(ctx)
  const { userId } = callerOf(ctx)
  if (!(await hasSecondFactor(ctx, userId))) throw errors['second-factor.none']()
  const recoveryCodes = await transaction(ctx, async (inner) => {
    await recordAudit(inner, { action: 'recovery-code.renew', targetKind: 'user', targetId: userId })
    await notifyPerson(inner, { userId, template: 'notice.recovery-codes-renewed' })
    return await writeRecoveryCodes(inner, userId)
  })
  return { recoveryCodes }
}

export async function forgetBrowsers(ctx: Context, ids: string[]): Promise<null> {
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    const ended = await deleteTrustedDevices(inner.db, userId, ids)
    if (ended === 0) return
    await recordAudit(inner, {
      action: 'trusted-browser.forget',
      targetKind: 'user',
      targetId: userId,
      after: { ended },
    })
  })
  return null
}
