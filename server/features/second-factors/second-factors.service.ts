import type { FastifyRequest } from 'fastify'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { loadSchoolGateway } from '../appearance/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { relyingPartyId } from './passkey-challenges.service.ts'
import { listPasskeys } from './passkeys.store.ts'
import { hasSecondFactor } from './required-factor.service.ts'
import {
  createRecoveryCodes,
  isSecondFactorRequired,
  listInsufficientMethods,
  recordAddedFactor,
  recordRemovedFactor,
  requireReauthenticationToAdd,
  requireReauthenticationToChange,
} from './second-factor-changes.service.ts'
import { errors } from './second-factors.errors.ts'
import { findOverview, lockSecondFactors, saveTotp } from './second-factors.store.ts'
import { findTotpStep, generateTotpSecret, totpUri } from './totp.rules.ts'
import { trustTokenHash } from './trusted-devices.service.ts'
import { deleteTrustedDevices, listTrustedDevices } from './trusted-devices.store.ts'

export async function getSecondFactors(ctx: Context, request: FastifyRequest): Promise<SecondFactors> {
  const { userId, lacksFactor } = callerOf(ctx)
  const [found, passkeys, trusted, { trustedBrowserDays }] = await Promise.all([
    findOverview(ctx.db, userId),
    listPasskeys(ctx.db, userId),
    listTrustedDevices(ctx.db, userId, ctx.now()),
    signInPolicy(ctx),
  ])
  if (!found) throw platformErrors['session.required']()
  const { totpSince, totpUsedAt, codesLeft, codesTotal } = found
  const here = trustTokenHash(ctx, request)
  return {
    demanded: await isSecondFactorRequired(ctx, userId),
    due: lacksFactor,
    insufficientMethods: await listInsufficientMethods(ctx),
    totp: totpSince && { since: totpSince.toISOString(), lastUsedAt: toIso(totpUsedAt) },
    recoveryCodes: codesTotal > 0 ? { left: codesLeft, total: codesTotal } : null,
    passkeysAvailable: relyingPartyId(ctx.config) !== null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, backedUp }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: toIso(lastUsedAt),
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

const SETUP_KIND = 'totp-setup'
const SETUP_SECONDS = 600
type TotpSetup = { sealed: string; userId: string }

/** A new secret, unusable until a code generated with it is entered. */
export async function startTotp(ctx: Context): Promise<{ secret: string; uri: string }> {
  await requireReauthenticationToAdd(ctx)
  const { userId, sessionId } = callerOf(ctx)
  const [found, { schoolName }] = await Promise.all([
    findOverview(ctx.db, userId),
    loadSchoolGateway(ctx, ctx.client.language),
  ])
  if (!found) throw platformErrors['session.required']()
  const secret = generateTotpSecret()
  const setup: TotpSetup = { sealed: ctx.secrets.seal(secret), userId }
  await ctx.state.put(SETUP_KIND, sessionId, setup, SETUP_SECONDS)
  return { secret, uri: totpUri(secret, schoolName, found.account) }
}

/** @throws Refusal `second-factor.setup-expired`, `second-factor.code-wrong`. */
export async function confirmTotp(ctx: Context, code: string): Promise<{ recoveryCodes: string[] | null }> {
  await requireReauthenticationToAdd(ctx)
  const { userId, sessionId } = callerOf(ctx)
  const setup = await ctx.state.peek<TotpSetup>(SETUP_KIND, sessionId)
  if (setup?.userId !== userId) throw errors['second-factor.setup-expired']()
  const step = findTotpStep(ctx.secrets.open(setup.sealed), code, ctx.now())
  if (step === null) throw errors['second-factor.code-wrong']()
  if (!(await ctx.state.take(SETUP_KIND, sessionId))) throw errors['second-factor.setup-expired']()
  const recoveryCodes = await transaction(ctx, async (inner) => {
    await lockSecondFactors(inner.db, userId, inner.now())
    await saveTotp(inner.db, userId, setup.sealed, step, inner.now())
    return await recordAddedFactor(inner, 'totp', null)
  })
  return { recoveryCodes }
}

export async function removeTotp(ctx: Context): Promise<null> {
  await requireReauthenticationToChange(ctx)
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    const { secret } = await lockSecondFactors(inner.db, userId, inner.now())
    if (secret === null) return
    await saveTotp(inner.db, userId, null, 0, inner.now())
    await recordRemovedFactor(inner, 'totp', null)
  })
  return null
}

export async function renewRecoveryCodes(ctx: Context): Promise<{ recoveryCodes: string[] }> {
  await requireReauthenticationToChange(ctx)
  const { userId } = callerOf(ctx)
  if (!(await hasSecondFactor(ctx, userId))) throw errors['second-factor.none']()
  const recoveryCodes = await transaction(ctx, async (inner) => {
    await recordAudit(inner, { action: 'recovery-code.renew', targetKind: 'user', targetId: userId })
    await notifyPerson(inner, { userId, template: 'notice.recovery-codes-renewed' })
    return await createRecoveryCodes(inner, userId)
  })
  return { recoveryCodes }
}

export async function removeTrustedBrowsers(ctx: Context, ids: string[]): Promise<null> {
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
