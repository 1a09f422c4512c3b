import type { FastifyRequest } from 'fastify'
import type { SecondFactorStep } from '#shared/contract/sign-in.ts'
import type { Context } from '../../platform/platform.ts'
import { demandsSecondFactor } from '../account-status/index.ts'
import { clientDetails } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { relyingPartyId } from './passkeys.challenge.ts'
import { type FactorsRow, findFactors } from './second-factors.store.ts'
import { touchTrustedDevice } from './trusted-devices.store.ts'
import { trustHashOf } from './trusted-devices.ts'

/** What the door has to do about a second factor. */
export type AtDoor =
  /** Nothing is asked, or the person has none to prove: what a rule then closes, stays closed to the session. */
  { kind: 'open' } | { kind: 'trusted' } | { kind: 'step'; step: SecondFactorStep }

/**
 * Whether somebody who has just proved the first factor is asked for another one: because a rule says so, or because they have
 * set up an authenticator app.
 */
export async function factorAtDoor(
  ctx: Context,
  request: FastifyRequest,
  { userId, appId }: { userId: string; appId: string | null },
): Promise<AtDoor> {
  const factors = await findFactors(ctx.db, userId, trustHashOf(ctx, request), ctx.now())
  const step = factors && (await stepOf(ctx, factors))
  if (!factors || !step) return { kind: 'open' }
  const policy = await signInPolicy(ctx)
  const { administers, category, totp } = factors
  const onCampus = policy.secondFactorOffCampus ? (await clientDetails(ctx)).onCampus : null
  if (!totp && !demandsSecondFactor(policy, { administers, category, onCampus, appId })) return { kind: 'open' }
  return await trustedOr(ctx, factors, step)
}

/** The same for a session that lacks a demanded factor. @returns `open` when the person has none: they are led to set one up. */
export async function factorForSession(ctx: Context, request: FastifyRequest, userId: string): Promise<AtDoor> {
  const factors = await findFactors(ctx.db, userId, trustHashOf(ctx, request), ctx.now())
  const step = factors && (await stepOf(ctx, factors))
  return step ? await trustedOr(ctx, factors, step) : { kind: 'open' }
}

async function trustedOr(ctx: Context, { trustedDeviceId }: FactorsRow, step: SecondFactorStep): Promise<AtDoor> {
  if (trustedDeviceId === null || step.trustDays === 0) return { kind: 'step', step }
  await touchTrustedDevice(ctx.db, trustedDeviceId, ctx.now())
  return { kind: 'trusted' }
}

/** What can be offered; null when the person has no factor that works here. */
async function stepOf(ctx: Context, { totp, codesLeft, passkeys }: FactorsRow): Promise<SecondFactorStep | null> {
  const rpId = relyingPartyId(ctx.config)
  const passkey = rpId !== null && passkeys.length > 0 ? { rpId, allow: passkeys } : null
  if (!totp && !passkey) return null
  return { totp, recovery: codesLeft > 0, passkey, trustDays: (await signInPolicy(ctx)).trustedBrowserDays }
}

/** Has this person any factor to prove? */
export async function hasSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  const factors = await findFactors(ctx.db, userId, null, ctx.now())
  return factors !== null && (await stepOf(ctx, factors)) !== null
}
