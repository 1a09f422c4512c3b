import type { FastifyRequest } from 'fastify'
import type {
  SecondFactorData,
  SecondFactorForm,
  SecondFactorStep,
  SessionLimitForm,
} from '#shared/contract/sign-in.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { needsOf } from '../access/index.ts'
import { requiredSessionFactor, trustBrowser, verifyPasskey, verifyTypedFactor } from '../second-factors/index.ts'
import {
  browserIdOf,
  clearPendingLoginCookie,
  findBrowserSessionById,
  type SecondFactor,
  type SsoSession,
  saveSecondFactor,
} from '../sessions/index.ts'
import type { LoginAttempt, LoginTarget } from './login-attempt.types.ts'
import { recordFailure } from './login-failures.service.ts'
import { signInUser } from './login-session.service.ts'
import { findPendingLogin, type PendingLogin, takePendingLogin } from './pending-login.service.ts'
import { errors } from './sign-in.errors.ts'
import { findLoginUser } from './sign-in.store.ts'

/**
 * What a session that lacks its second factor still requires; null if the person has none and must set one up first. A trusted browser
 * satisfies it at once.
 */
export async function resolveSessionStep(
  ctx: Context,
  { request, reply }: Exchange,
  session: SsoSession,
): Promise<SecondFactorStep | 'trusted' | null> {
  const factor = await requiredSessionFactor(ctx, request, session.userId)
  if (factor.kind === 'open') return null
  // A login still pending here was a different one.
  clearPendingLoginCookie(ctx.config, reply)
  if (factor.kind === 'step') return factor.step
  await saveSecondFactor(ctx, session.id, 'device')
  return 'trusted'
}

/**
 * The second factor: finishes the login that waits in this browser, or adds the missing factor to the session of `target`.
 * @returns the sign-on session, null if it has ended meanwhile; `fresh`: a second factor alone is no new login.
 * @throws Refusal `sign-in.second-factor-wrong|locked` with `SecondFactorData`, `sign-in.second-factor-expired`, or those of
 *   `openLoginSession`.
 */
export async function completeSecondFactor(
  ctx: Context,
  exchange: Exchange,
  form: SecondFactorForm,
  target: LoginTarget,
): Promise<{ session: SsoSession | null; fresh: boolean }> {
  const pending = await findPendingLogin(ctx, exchange.request)
  if (pending) return { session: await completePendingLogin(ctx, exchange, form, pending, target), fresh: true }
  const { application, replaces: session } = target
  if (!session || session.refusal === 'session.ended') throw errors['sign-in.second-factor-expired']()
  const { id, userId, authType } = session
  const user = await findLoginUser(ctx.db, userId, null, { needs: needsOf([]), now: ctx.now() })
  const attempt = { userId, account: user?.account ?? '', authType, application }
  await saveSecondFactor(ctx, id, await verifySecondFactor(ctx, exchange, form, attempt))
  if (form.trust) await trustBrowser(ctx, exchange, userId)
  return { session: await findBrowserSessionById(ctx, id, application), fresh: false }
}

async function completePendingLogin(
  ctx: Context,
  exchange: Exchange,
  form: SecondFactorForm,
  pending: PendingLogin,
  target: LoginTarget,
): Promise<SsoSession> {
  const attempt = { ...pending, ...target }
  const secondFactor = await verifySecondFactor(ctx, exchange, form, attempt)
  if (!(await takePendingLogin(ctx, pending))) throw errors['sign-in.second-factor-expired']()
  const session = await signInUser(ctx, exchange, { ...attempt, secondFactor })
  if (form.trust) await trustBrowser(ctx, exchange, pending.userId)
  return session
}

/**
 * Finishes the login of this browser that waits for another one to end.
 * @throws Refusal `sign-in.second-factor-expired`, `sign-in.too-many-sessions` if the limit is still reached, or those of
 *   `openLoginSession`: everything else is checked again.
 */
export async function completeSessionLimitStep(
  ctx: Context,
  exchange: Exchange,
  { ends }: SessionLimitForm,
  target: LoginTarget,
): Promise<SsoSession> {
  const pending = await findPendingLogin(ctx, exchange.request)
  if (!pending?.isOverSessionLimit || !(await takePendingLogin(ctx, pending)))
    throw errors['sign-in.second-factor-expired']()
  const { isOverSessionLimit, code, browser, ...attempt } = pending
  return await signInUser(ctx, exchange, { ...attempt, ...target, ends })
}

type SecondFactorUser = Pick<LoginAttempt, 'account' | 'authType' | 'application'> & { userId: string }

/** @returns which factor was proved. */
async function verifySecondFactor(
  ctx: Context,
  { request }: Exchange,
  form: SecondFactorForm,
  attempt: SecondFactorUser,
): Promise<SecondFactor> {
  const { userId } = attempt
  const verify = form.factor === 'passkey' ? verifyPasskeyFactor : verifyTypedFactor
  const outcome = await verify(ctx, userId, form.code, request)
  if (typeof outcome === 'string' && outcome !== 'wrong') return outcome
  await recordFailure(ctx, attempt, outcome === 'wrong' ? 'second-factor.wrong' : 'second-factor.locked')
  const factor = await requiredSessionFactor(ctx, request, userId)
  const data = factor.kind === 'step' ? ({ secondFactor: factor.step } satisfies SecondFactorData) : null
  if (outcome === 'wrong') throw errors['sign-in.second-factor-wrong']({ data })
  throw errors['sign-in.second-factor-locked']({ data, ...outcome.blocked })
}

async function verifyPasskeyFactor(ctx: Context, userId: string, answer: string, request: FastifyRequest) {
  const browser = browserIdOf(ctx.config, request)
  const verified = browser && (await verifyPasskey(ctx, answer, { purpose: 'second-factor', browser }, userId))
  return verified ? 'passkey' : 'wrong'
}
