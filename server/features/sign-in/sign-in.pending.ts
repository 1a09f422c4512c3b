import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecondFactorData, SecondFactorStep } from '#shared/contract/sign-in.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { factorAtDoor, factorForSession } from '../second-factors/index.ts'
import { bindBrowser, browserOf, pendingOf, type SecondFactor, setPending } from '../sessions/index.ts'
import type { Entrant } from './sign-in.accept.ts'
import { errors } from './sign-in.errors.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

const PENDING = 'sign-in-pending'
const PENDING_SECONDS = 600

/** A login whose first factor was proved. Where it leads is asked again with each request. */
type Pending = Pick<Entrant, 'userId' | 'account' | 'authType' | 'rememberMe' | 'warn'> & {
  browser: string
  passwordChangedAt: string | null
  cleared: { kind: 'name' | 'device'; key: string; addressKey: string } | null
}

/**
 * Asks for the second factor where one is due. Until it comes there is no session: only a code in a cookie of this browser, good
 * for ten minutes and one login.
 * @returns what stands in for it already; null: nothing is asked.
 * @throws Refusal `sign-in.second-factor-required` with `SecondFactorData`
 */
export async function askSecondFactor(
  ctx: Context,
  exchange: Exchange,
  entrant: Entrant,
): Promise<SecondFactor | null> {
  const { userId, application, cleared } = entrant
  const door = await factorAtDoor(ctx, exchange.request, { userId, appId: application?.appId ?? null })
  if (door.kind === 'open') return null
  if (door.kind === 'trusted') return 'device'
  if (entrant.withoutBrowser) throw required(door.step)
  const code = randomToken(32)
  const pending: Pending = {
    userId,
    account: entrant.account,
    authType: entrant.authType,
    rememberMe: entrant.rememberMe,
    warn: entrant.warn,
    browser: bindBrowser(ctx.config, exchange.request, exchange.reply),
    passwordChangedAt: entrant.passwordChangedAt ?? null,
    cleared: cleared
      ? { kind: cleared.kind, key: cleared.key.toString('hex'), addressKey: cleared.addressKey.toString('hex') }
      : null,
  }
  await ctx.state.put(PENDING, code, pending, PENDING_SECONDS)
  setPending(ctx.config, exchange.reply, code, PENDING_SECONDS)
  throw required(door.step)
}

const required = (step: SecondFactorStep) =>
  errors['sign-in.second-factor-required']({ data: { secondFactor: step } satisfies SecondFactorData })

export type Waiting = Pending & { code: string }

/** The login that waits in this browser for its second factor. */
export async function waitingIn(ctx: Context, request: FastifyRequest): Promise<Waiting | null> {
  const code = pendingOf(request)
  const pending = code && (await ctx.state.peek<Pending>(PENDING, code))
  return pending && pending.browser === browserOf(ctx.config, request) ? { ...pending, code } : null
}

/** Takes it: of parallel answers, one gets the session. */
export const takeWaiting = async (ctx: Context, { code }: Waiting): Promise<boolean> =>
  (await ctx.state.take(PENDING, code)) !== null

/** What this browser's half-finished login still asks; null without one. */
export async function stepOfPending(ctx: Context, request: FastifyRequest): Promise<SecondFactorStep | null> {
  const waiting = pendingOf(request) === null ? null : await waitingIn(ctx, request)
  const door = waiting && (await factorForSession(ctx, request, waiting.userId))
  return door?.kind === 'step' ? door.step : null
}
