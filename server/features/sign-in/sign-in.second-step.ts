import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecondFactorData, SecondFactorStep, SecondStepForm } from '#shared/contract/sign-in.ts'
import type { Context } from '../../platform/platform.ts'
import type { Application } from '../applications/index.ts'
import { factorForSession, judgeTyped, provePasskey, trustBrowser } from '../second-factors/index.ts'
import { browserOf, clearPending, noteSecondFactor, type SecondFactor, type SsoSession } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { acceptSignIn, type Entrant } from './sign-in.accept.ts'
import { errors } from './sign-in.errors.ts'
import { takeWaiting, type Waiting, waitingIn } from './sign-in.pending.ts'
import { recordFailure } from './sign-in.refuse.ts'
import { accountOf } from './sign-in.store.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * What a session that lacks its second factor still asks; null when the person has none to prove and must set one up first.
 * A trusted browser stands in for it at once.
 */
export async function stepOfSession(
  ctx: Context,
  { request, reply }: Exchange,
  session: SsoSession,
): Promise<SecondFactorStep | 'trusted' | null> {
  const door = await factorForSession(ctx, request, session.userId)
  if (door.kind === 'open') return null
  // What may wait here besides was another login.
  clearPending(ctx.config, reply)
  if (door.kind === 'step') return door.step
  await noteSecondFactor(ctx, session.id, 'device')
  return 'trusted'
}

type Around = { application: Application | null; session: SsoSession | null }

/**
 * The second step: finishes the login that waits in this browser, or gives the session what it lacks.
 * @returns the sign-on session; `fresh`: a second factor alone is no new login.
 * @throws Refusal `sign-in.second-factor-wrong|locked` with `SecondFactorData`, `sign-in.second-factor-expired`, or what
 *   `acceptSignIn` refuses: the gate is asked once more.
 */
export async function takeSecondStep(
  ctx: Context,
  exchange: Exchange,
  form: SecondStepForm,
  { application, session }: Around,
): Promise<{ id: string; fresh: boolean }> {
  const waiting = await waitingIn(ctx, exchange.request)
  if (waiting) return { ...(await finish(ctx, exchange, form, { waiting, application, session })), fresh: true }
  if (!session || session.refusal === 'session.ended') throw errors['sign-in.second-factor-expired']()
  const { userId } = session
  const who = { userId, account: await accountOf(ctx.db, userId), authType: session.authType, application }
  await noteSecondFactor(ctx, session.id, await prove(ctx, exchange, form, who))
  if (form.trust) await trustBrowser(ctx, exchange, userId)
  return { id: session.id, fresh: false }
}

async function finish(
  ctx: Context,
  exchange: Exchange,
  form: SecondStepForm,
  { waiting, application, session }: Around & { waiting: Waiting },
): Promise<{ id: string }> {
  const { cleared, userId, account, authType, rememberMe, warn, passwordChangedAt } = waiting
  const secondFactor = await prove(ctx, exchange, form, { userId, account, authType, application })
  if (!(await takeWaiting(ctx, waiting))) throw errors['sign-in.second-factor-expired']()
  const opened = await acceptSignIn(ctx, exchange, {
    userId,
    account,
    authType,
    rememberMe,
    warn,
    passwordChangedAt,
    application,
    replaces: session,
    secondFactor,
    ...(cleared && {
      cleared: {
        kind: cleared.kind,
        key: Buffer.from(cleared.key, 'hex'),
        addressKey: Buffer.from(cleared.addressKey, 'hex'),
      },
    }),
  })
  if (form.trust) await trustBrowser(ctx, exchange, userId)
  return opened
}

type Who = Pick<Entrant, 'userId' | 'account' | 'authType' | 'application'>

/** @returns which factor was proved. */
async function prove(ctx: Context, { request }: Exchange, form: SecondStepForm, who: Who): Promise<SecondFactor> {
  const { userId } = who
  const outcome = await (form.factor === 'passkey' ? judgePasskey : judgeTyped)(ctx, userId, form.code, request)
  if (outcome !== 'wrong' && outcome !== 'blocked') return outcome
  await recordFailure(ctx, who, outcome === 'blocked' ? 'second-factor.locked' : 'second-factor.wrong')
  const door = await factorForSession(ctx, request, userId)
  const data = door.kind === 'step' ? ({ secondFactor: door.step } satisfies SecondFactorData) : null
  if (outcome === 'wrong') throw errors['sign-in.second-factor-wrong']({ data })
  const { lockMinutes } = await signInPolicy(ctx)
  throw errors['sign-in.second-factor-locked']({ data, params: { minutes: lockMinutes }, retryAfter: lockMinutes * 60 })
}

async function judgePasskey(ctx: Context, userId: string, answer: string, request: FastifyRequest) {
  const browser = browserOf(ctx.config, request)
  const proved = browser && (await provePasskey(ctx, answer, { purpose: 'second-factor', browser }, userId))
  return proved ? 'passkey' : 'wrong'
}
