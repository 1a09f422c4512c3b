import type { FastifyRequest } from 'fastify'
import type { SecondFactorData, SessionLimitData, SessionLimitStep } from '#shared/contract/sign-in.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { requiredFactor, requiredSessionFactor } from '../second-factors/index.ts'
import {
  browserIdOf,
  ensureBrowserId,
  findSessionLimitStep,
  pendingLoginCookieOf,
  type SecondFactor,
  setPendingLoginCookie,
} from '../sessions/index.ts'
import type { LoginAttempt } from './login-attempt.types.ts'
import { recordFailure } from './login-failures.service.ts'
import { errors } from './sign-in.errors.ts'

const PENDING_KIND = 'sign-in-pending'
const PENDING_SECONDS = 600

/** A login whose first factor was proved. Its destination comes with each request. */
type StoredLogin = Omit<LoginAttempt, 'userId' | 'application' | 'replaces'> & {
  userId: string
  browser: string
  /** It waits until another login has ended. */
  isOverSessionLimit?: boolean
}

/**
 * Asks for the second factor if one is due. Until it is proved there is no session: only a code in a cookie of this browser, valid for ten
 * minutes and one login.
 * @returns the factor that already replaces it; null: none is due.
 * @throws Refusal `sign-in.second-factor-required` with `SecondFactorData`
 */
export async function requireSecondFactor(
  ctx: Context,
  exchange: Exchange,
  attempt: LoginAttempt,
  who: { userId: string; isDemanded: boolean },
): Promise<SecondFactor | null> {
  const factor = await requiredFactor(ctx, exchange.request, who)
  if (factor.kind === 'open') return null
  if (factor.kind === 'trusted') return 'device'
  if (!attempt.withoutBrowser) await savePendingLogin(ctx, exchange, attempt, who.userId)
  const data: SecondFactorData = { secondFactor: factor.step }
  throw errors['sign-in.second-factor-required']({ data })
}

/**
 * Records that a person who proved who they are has reached the session limit; in a browser the login waits until they have ended another.
 * @returns the error, with their logins
 */
export async function refuseOverSessionLimit(
  ctx: Context,
  exchange: Exchange,
  attempt: LoginAttempt & { userId: string },
  sessionLimit: SessionLimitStep,
) {
  await recordFailure(ctx, attempt, 'sessions.too-many')
  const details = { params: { count: sessionLimit.most } }
  if (attempt.withoutBrowser) return errors['sign-in.too-many-sessions'](details)
  const { ends, ...waiting } = attempt
  await savePendingLogin(ctx, exchange, { ...waiting, isOverSessionLimit: true }, attempt.userId)
  return errors['sign-in.too-many-sessions']({ ...details, data: { sessionLimit } satisfies SessionLimitData })
}

async function savePendingLogin(
  ctx: Context,
  { request, reply }: Exchange,
  { application, replaces, ...attempt }: LoginAttempt & { isOverSessionLimit?: boolean },
  userId: string,
): Promise<void> {
  const code = randomToken(32)
  const pending: StoredLogin = { ...attempt, userId, browser: ensureBrowserId(ctx.config, request, reply) }
  await ctx.state.put(PENDING_KIND, code, pending, PENDING_SECONDS)
  setPendingLoginCookie(ctx.config, reply, code, PENDING_SECONDS)
}

export type PendingLogin = StoredLogin & { code: string }

/** The login of this browser that waits for its second factor. */
export async function findPendingLogin(ctx: Context, request: FastifyRequest): Promise<PendingLogin | null> {
  const code = pendingLoginCookieOf(request)
  const pending = code && (await ctx.state.peek<StoredLogin>(PENDING_KIND, code))
  return pending && pending.browser === browserIdOf(ctx.config, request) ? { ...pending, code } : null
}

/** Consumes it: of parallel requests, one gets the session. */
export const takePendingLogin = async (ctx: Context, { code }: PendingLogin): Promise<boolean> =>
  (await ctx.state.take(PENDING_KIND, code)) !== null

/** What this browser's unfinished login still requires; null without one. */
export async function findPendingStep(
  ctx: Context,
  request: FastifyRequest,
): Promise<SecondFactorData | SessionLimitData | null> {
  const pending = pendingLoginCookieOf(request) === null ? null : await findPendingLogin(ctx, request)
  if (!pending) return null
  const sessionLimit = pending.isOverSessionLimit ? await findSessionLimitStep(ctx, pending.userId) : null
  if (sessionLimit) return { sessionLimit }
  const factor = await requiredSessionFactor(ctx, request, pending.userId)
  return factor.kind === 'step' && !pending.isOverSessionLimit ? { secondFactor: factor.step } : null
}
