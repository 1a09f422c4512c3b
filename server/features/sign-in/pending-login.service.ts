import type { FastifyRequest } from 'fastify'
import type { RoomData, RoomStep, SecondFactorData } from '#shared/contract/sign-in.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { requiredFactor, requiredSessionFactor } from '../second-factors/index.ts'
import {
  browserIdOf,
  ensureBrowserId,
  findRoomStep,
  pendingLoginCookieOf,
  type SecondFactor,
  setPendingLoginCookie,
} from '../sessions/index.ts'
import type { LoginAttempt } from './login-attempt.types.ts'
import { recordFailure } from './login-failures.service.ts'
import { errors } from './sign-in.errors.ts'

const PENDING_KIND = 'sign-in-pending'
const PENDING_SECONDS = 600

/** A login whose first factor was proved. Where it leads comes with each request. */
type StoredLogin = Omit<LoginAttempt, 'userId' | 'application' | 'replaces'> & {
  userId: string
  browser: string
  /** It waits for another login to end. */
  lacksRoom?: boolean
}

/**
 * Asks for the second factor where one is due. Until it comes there is no session: only a code in a cookie of this browser, good
 * for ten minutes and one login.
 * @returns what stands in for it already; null: nothing is asked.
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
 * Records that a person who proved who they are has as many logins as are allowed; in a browser the login waits until they ended one.
 * @returns the refusal, with the logins that they have
 */
export async function refuseForWantOfRoom(
  ctx: Context,
  exchange: Exchange,
  attempt: LoginAttempt & { userId: string },
  room: RoomStep,
) {
  await recordFailure(ctx, attempt, 'sessions.too-many')
  const said = { params: { count: room.most } }
  if (attempt.withoutBrowser) return errors['sign-in.too-many-sessions'](said)
  const { ends, ...waiting } = attempt
  await savePendingLogin(ctx, exchange, { ...waiting, lacksRoom: true }, attempt.userId)
  return errors['sign-in.too-many-sessions']({ ...said, data: { room } satisfies RoomData })
}

async function savePendingLogin(
  ctx: Context,
  { request, reply }: Exchange,
  { application, replaces, ...attempt }: LoginAttempt & { lacksRoom?: boolean },
  userId: string,
): Promise<void> {
  const code = randomToken(32)
  const pending: StoredLogin = { ...attempt, userId, browser: ensureBrowserId(ctx.config, request, reply) }
  await ctx.state.put(PENDING_KIND, code, pending, PENDING_SECONDS)
  setPendingLoginCookie(ctx.config, reply, code, PENDING_SECONDS)
}

export type PendingLogin = StoredLogin & { code: string }

/** The login that waits in this browser for its second factor. */
export async function findPendingLogin(ctx: Context, request: FastifyRequest): Promise<PendingLogin | null> {
  const code = pendingLoginCookieOf(request)
  const pending = code && (await ctx.state.peek<StoredLogin>(PENDING_KIND, code))
  return pending && pending.browser === browserIdOf(ctx.config, request) ? { ...pending, code } : null
}

/** Takes it: of parallel answers, one gets the session. */
export const takePendingLogin = async (ctx: Context, { code }: PendingLogin): Promise<boolean> =>
  (await ctx.state.take(PENDING_KIND, code)) !== null

/** What this browser's half-finished login still asks; null without one. */
export async function findPendingStep(
  ctx: Context,
  request: FastifyRequest,
): Promise<SecondFactorData | RoomData | null> {
  const pending = pendingLoginCookieOf(request) === null ? null : await findPendingLogin(ctx, request)
  if (!pending) return null
  const room = pending.lacksRoom ? await findRoomStep(ctx, pending.userId) : null
  if (room) return { room }
  const factor = await requiredSessionFactor(ctx, request, pending.userId)
  return factor.kind === 'step' && !pending.lacksRoom ? { secondFactor: factor.step } : null
}
