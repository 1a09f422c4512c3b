import type { OfferedMethod, ReauthenticationMethod } from '#shared/contract/reauthentication.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { findReadyChannels } from '../messages/index.ts'
import { confirmContact } from '../user-accounts/index.ts'
import { errors } from './reauthentication.errors.ts'
import {
  deleteReauthentication,
  findLoginAsReauthentication,
  findReauthenticatingUser,
  findReauthenticationRow,
  type ReauthenticatingUserRow,
  saveReauthentication,
} from './reauthentication.store.ts'

/** How many minutes one reauthentication is valid. */
const REAUTHENTICATION_MINUTES = 10

export type ReauthenticatingUser = ReauthenticatingUserRow & { userId: string }

/** A method of reauthentication. A feature with one exports it; the composition root passes it to the mount. */
export type ReauthenticationHandler = {
  name: ReauthenticationMethod
  /** Identifies the authenticator to the person, '' for nothing; null: not available to this person. */
  hint(ctx: Context, person: ReauthenticatingUser): Promise<string | null>
  /** Sends the code or creates the challenge. */
  begin?(ctx: Context, person: ReauthenticatingUser): Promise<{ secondsLeft: number; options?: unknown }>
  /** Counts and commits a wrong answer before it throws; rejects people who can't use it. @throws Refusal */
  verify(ctx: Context, person: ReauthenticatingUser, answer: string): Promise<void>
}

const expiryOf = (reauthenticatedAt: Date): Date =>
  new Date(reauthenticatedAt.getTime() + REAUTHENTICATION_MINUTES * 60_000)

type Reauthentication = { until: Date; method: ReauthenticationMethod | null }

async function findReauthentication(ctx: Context): Promise<Reauthentication | null> {
  const { sessionId, userId } = callerOf(ctx)
  const saved = await findReauthenticationRow(ctx.db, sessionId, userId)
  if (saved && expiryOf(saved.reauthenticatedAt) > ctx.now()) {
    return { until: expiryOf(saved.reauthenticatedAt), method: saved.method }
  }
  return await findRecentLogin(ctx)
}

/** People with nothing but a linked account, such as those created at their first login, can prove only that they have just logged in. */
async function findRecentLogin(ctx: Context): Promise<Reauthentication | null> {
  const since = new Date(ctx.now().getTime() - REAUTHENTICATION_MINUTES * 60_000)
  const channels = await findReadyChannels(ctx)
  const at = await findLoginAsReauthentication(ctx.db, { ssoSessionId: callerOf(ctx).ssoSessionId, since, channels })
  return at && { until: expiryOf(at), method: null }
}

/**
 * Requires that the person at this portal session reauthenticated within the last minutes: an unattended session must not allow an account
 * takeover. Call it before anything else that a sensitive change does.
 * @returns the method they used; null: a recent login, because they have no other.
 * @throws Refusal `reauthentication.required`; the page asks for reauthentication and repeats the call.
 */
export async function requireReauthentication(ctx: Context): Promise<ReauthenticationMethod | null> {
  const reauthentication = await findReauthentication(ctx)
  if (!reauthentication) throw errors['reauthentication.required']()
  return reauthentication.method
}

/** For a call that needs reauthentication by another method: the next one asks again. */
export const invalidateReauthentication = (ctx: Context): Promise<void> =>
  deleteReauthentication(ctx.db, callerOf(ctx).sessionId)

async function getReauthenticatingUser(ctx: Context): Promise<ReauthenticatingUser> {
  const { userId } = callerOf(ctx)
  const bound = await findReauthenticatingUser(ctx.db, userId)
  if (!bound) throw errors['reauthentication.method-unavailable']()
  return { userId, ...bound }
}

/** Whether reauthentication is needed, and the methods available to this person. */
export async function getReauthenticationStatus(ctx: Context, handlers: readonly ReauthenticationHandler[]) {
  const person = await getReauthenticatingUser(ctx)
  const offered: OfferedMethod[] = []
  for (const handler of handlers) {
    const hint = await handler.hint(ctx, person)
    if (hint !== null) offered.push({ method: handler.name, hint })
  }
  return { freshUntil: toIso((await findReauthentication(ctx))?.until), methods: offered }
}

function getHandler(
  handlers: readonly ReauthenticationHandler[],
  name: ReauthenticationMethod,
): ReauthenticationHandler {
  const handler = handlers.find((known) => known.name === name)
  if (!handler) throw errors['reauthentication.method-unavailable']()
  return handler
}

/** @throws Refusal `reauthentication.method-unavailable`, or those of the method. */
export async function startReauthentication(
  ctx: Context,
  handlers: readonly ReauthenticationHandler[],
  name: ReauthenticationMethod,
) {
  const handler = getHandler(handlers, name)
  const person = await getReauthenticatingUser(ctx)
  if ((await handler.hint(ctx, person)) === null) throw errors['reauthentication.method-unavailable']()
  const begun = await handler.begin?.(ctx, person)
  return { secondsLeft: begun?.secondsLeft ?? 0, options: begun?.options ?? null }
}

/** @throws Refusal `reauthentication.method-unavailable`, or those of the method. */
export async function completeReauthentication(
  ctx: Context,
  handlers: readonly ReauthenticationHandler[],
  { name, answer }: { name: ReauthenticationMethod; answer: string },
) {
  await getHandler(handlers, name).verify(ctx, await getReauthenticatingUser(ctx), answer)
  const reauthenticatedAt = ctx.now()
  const { sessionId, userId } = callerOf(ctx)
  if (name === 'phone' || name === 'mailbox') await confirmContact(ctx.db, userId, name)
  const saved = await saveReauthentication(ctx.db, { portalSessionId: sessionId, method: name, reauthenticatedAt })
  if (!saved) throw platformErrors['session.required']()
  return { freshUntil: expiryOf(reauthenticatedAt).toISOString() }
}
