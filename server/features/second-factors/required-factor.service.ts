import type { FastifyRequest } from 'fastify'
import type { SecondFactorStep } from '#shared/contract/sign-in.ts'
import type { Context } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { relyingPartyId } from './passkey-challenges.service.ts'
import { type FactorsRow, findFactors } from './second-factors.store.ts'
import { trustTokenHash } from './trusted-devices.service.ts'
import { touchTrustedDevice } from './trusted-devices.store.ts'

/** What a login needs to do about a second factor. */
export type FactorRequirement =
  /** `open`: nothing is required, or the person has none to prove; what a rule closes then stays closed to the session. */
  { kind: 'open' } | { kind: 'trusted' } | { kind: 'step'; step: SecondFactorStep }

/**
 * Whether a person who has just proved the first factor is asked for another one: because a rule requires it, or because they have set up
 * an authenticator app.
 * @param isDemanded a rule requires it.
 */
export async function requiredFactor(
  ctx: Context,
  request: FastifyRequest,
  { userId, isDemanded }: { userId: string; isDemanded: boolean },
): Promise<FactorRequirement> {
  const factors = await findFactors(ctx.db, userId, trustTokenHash(ctx, request), ctx.now())
  const step = factors && (await availableStep(ctx, factors))
  if (!factors || !step) return { kind: 'open' }
  if (!factors.totp && !isDemanded) return { kind: 'open' }
  return await resolveTrust(ctx, factors, step)
}

/** The same for a session that lacks a required factor. @returns `open` if the person has none: they are led to set one up */
export async function requiredSessionFactor(
  ctx: Context,
  request: FastifyRequest,
  userId: string,
): Promise<FactorRequirement> {
  const factors = await findFactors(ctx.db, userId, trustTokenHash(ctx, request), ctx.now())
  const step = factors && (await availableStep(ctx, factors))
  return step ? await resolveTrust(ctx, factors, step) : { kind: 'open' }
}

async function resolveTrust(
  ctx: Context,
  { trustedDeviceId }: FactorsRow,
  step: SecondFactorStep,
): Promise<FactorRequirement> {
  if (trustedDeviceId === null || step.trustDays === 0) return { kind: 'step', step }
  await touchTrustedDevice(ctx.db, trustedDeviceId, ctx.now())
  return { kind: 'trusted' }
}

/** The available options; null if the person has no factor that works here. */
async function availableStep(
  ctx: Context,
  { totp, codesLeft, passkeys }: FactorsRow,
): Promise<SecondFactorStep | null> {
  const rpId = relyingPartyId(ctx.config)
  const passkey = rpId !== null && passkeys.length > 0 ? { rpId, allow: passkeys } : null
  if (!totp && !passkey) return null
  return { totp, recovery: codesLeft > 0, passkey, trustDays: (await signInPolicy(ctx)).trustedBrowserDays }
}

/** Has this person any second factor? */
export async function hasSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  const factors = await findFactors(ctx.db, userId, null, ctx.now())
  return factors !== null && (await availableStep(ctx, factors)) !== null
}
