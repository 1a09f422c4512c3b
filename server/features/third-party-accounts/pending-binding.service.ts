import type { FastifyRequest } from 'fastify'
import type { ThirdPartyIdentity } from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { browserIdOf, findSsoSessionById, previousBrowserIdOf } from '../sessions/index.ts'
import type { ProviderFlow } from './provider-flow.service.ts'
import { errors } from './third-party-accounts.errors.ts'

const PENDING_KIND = 'third-party-pending'
const PENDING_SECONDS = 600
const UNBOUND_KIND = 'third-party-unbound'

/** An identity that the provider has vouched for in this browser, and that nobody is linked to yet. */
export type PendingBinding = {
  providerId: string
  realm: string
  subject: string
  displayName: string
  browser: string
  begunAt: number
  /** When the provider vouched for it. */
  at: number
  /** Who began to link it, in which session; null: it came from a login of an unknown identity. */
  begunBy: { userId: string; ssoSessionId: string } | null
  /** The application that the person wanted to enter; null for none. */
  next: string | null
}

/** The provider's name for the person: for display, never for matching. */
export const displayNameOf = ({ claims, subject }: ThirdPartyIdentity): string =>
  (claims.name ?? claims.number ?? claims.mailbox ?? claims.phone ?? subject).slice(0, 100)

/** @returns the code with which the page completes the linking; useless in another browser */
export async function savePendingBinding(
  ctx: Context,
  flow: Pick<ProviderFlow, 'providerId' | 'browser' | 'begunAt'>,
  identity: ThirdPartyIdentity,
  { begunBy = null, next = null }: Partial<Pick<PendingBinding, 'begunBy' | 'next'>>,
): Promise<string> {
  const { providerId, browser, begunAt } = flow
  const { realm, subject } = identity
  const code = randomToken(32)
  const displayName = displayNameOf(identity)
  const pending: PendingBinding = {
    providerId,
    browser,
    begunAt,
    realm,
    subject,
    displayName,
    begunBy,
    next,
    at: ctx.now().getTime(),
  }
  await ctx.state.put(PENDING_KIND, code, pending, PENDING_SECONDS)
  return code
}

/**
 * What waits under a code, for the person of this session, in the browser where it was begun.
 * @throws Refusal `third-party.flow-invalid`
 */
export async function loadPendingBinding(ctx: Context, request: FastifyRequest, code: string): Promise<PendingBinding> {
  const pending = await ctx.state.peek<PendingBinding>(PENDING_KIND, code)
  // Whoever logged in to complete it has another browser cookie since.
  const here = [browserIdOf(ctx.config, request), previousBrowserIdOf(ctx.config, request)]
  if (!pending || !here.includes(pending.browser)) throw errors['third-party.flow-invalid']()
  const { userId, ssoSessionId } = callerOf(ctx)
  const { begunBy } = pending
  const isSomebodyElse = begunBy && (begunBy.userId !== userId || begunBy.ssoSessionId !== ssoSessionId)
  if (isSomebodyElse || (await isBeforeUnbinding(ctx, userId, pending))) throw errors['third-party.flow-invalid']()
  return pending
}

/** Of parallel callers one succeeds. @throws Refusal `third-party.flow-invalid` */
export async function consumePendingBinding(ctx: Context, code: string): Promise<void> {
  if (!(await ctx.state.take(PENDING_KIND, code))) throw errors['third-party.flow-invalid']()
}

const unbindingKey = (userId: string, providerId: string) => `${userId} ${providerId}`

/** Invalidates whatever this person has begun with this provider until now. */
export const invalidatePendingBindings = (ctx: Context, userId: string, providerId: string): Promise<void> =>
  ctx.state.put(UNBOUND_KIND, unbindingKey(userId, providerId), ctx.now().getTime(), 2 * PENDING_SECONDS + 60)

async function isBeforeUnbinding(
  ctx: Context,
  userId: string,
  { providerId, begunAt }: PendingBinding,
): Promise<boolean> {
  const unboundAt = await ctx.state.peek<number>(UNBOUND_KIND, unbindingKey(userId, providerId))
  return unboundAt !== null && begunAt <= unboundAt
}

/** Login types that prove by themselves who the person is. Another provider's word does not. */
const PROVING_LOGIN_TYPES: readonly string[] = ['user', 'captcha', 'passkey']

/** Did the person log in to complete this very linking? Then they have just proved who they are. */
export async function isProvedByLogin(ctx: Context, { begunBy, at }: PendingBinding): Promise<boolean> {
  if (begunBy) return false
  const session = await findSsoSessionById(ctx, callerOf(ctx).ssoSessionId, null)
  return session !== null && PROVING_LOGIN_TYPES.includes(session.authType) && session.authenticatedAt.getTime() >= at
}
