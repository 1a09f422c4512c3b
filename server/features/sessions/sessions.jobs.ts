import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { type Platform, systemContext } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { endSsoSessions } from './sso-session.service.ts'
import {
  deleteEndedSessions,
  deleteUnusedPortalSessions,
  listFreezeStarts,
  listSessionIdsOfBlockedUsers,
  listStaleSessionIds,
  type StaleSessionFilter,
} from './stale-sessions.store.ts'

/** Rows per statement: short locks, however much there is to do. */
const BATCH_SIZE = 500
/** A ticket's record must outlive the session as long as single logout may be retried. */
const KEEP_ENDED_DAYS = 30
const KEEP_UNUSED_PORTAL_DAYS = 7
/** "Last seen" may lag by that much (see `TOUCH_AFTER_MS`), so nobody is logged out early. */
const GRACE_MS = 60_000

/** The cut-off times after which a session has expired. */
export function staleBy(policy: SignInPolicy, now: Date): StaleSessionFilter {
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000 - GRACE_MS)
  return {
    now,
    idleSince: before(policy.sessionIdleMinutes),
    portalIdleSince: policy.switchOfExpirationLogout === '1' ? before(policy.expirationMinutes) : null,
  }
}

/**
 * Every minute: marks expired sessions as ended. The gate rejects them anyway; this writes the logout time and ends a sign-on session whose
 * portal page was left idle. Applications are not told: they count their own idle time.
 */
export async function endStaleSessions(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  const stale = staleBy(await signInPolicy(ctx), ctx.now())
  for (;;) {
    const ids = await listStaleSessionIds(ctx.db, stale, BATCH_SIZE)
    await endSsoSessions(ctx, { ids }, 'expired', { tellApplications: false })
    if (ids.length < BATCH_SIZE) return
  }
}

/**
 * Every minute: ends the sessions of people who were disabled, locked by an administrator, frozen, deleted or have expired, however that
 * was written. The gate rejects them from that moment on; this tells the applications, which keep sessions of their own.
 */
export async function endSessionsOfBlockedUsers(platform: Platform): Promise<void> {
  await endBlocked(platform)
  const now = platform.now()
  const until = new Date(now.getTime() + LOOK_AHEAD_MS)
  for (const at of await listFreezeStarts(platform.sql, { now, until }, MAX_STARTS)) endSessionsAt(platform, at)
}

async function endBlocked(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  for (;;) {
    const ids = await listSessionIdsOfBlockedUsers(ctx.db, ctx.now(), BATCH_SIZE)
    await endSsoSessions(ctx, { ids }, 'account')
    if (ids.length < BATCH_SIZE) return
  }
}

/** Longer than the time between two runs of the job. */
const LOOK_AHEAD_MS = 150_000
const MAX_STARTS = 100
/** A timer may fire slightly early. */
const TIMER_SLACK_MS = 20

/** The times for which this node has a timer, by database. */
const awaited = new WeakMap<Platform['sql'], Set<number>>()

/**
 * Ends the sessions of people whose freeze begins at `at`, at that moment: the job alone would tell the applications up to a minute later.
 * For a time further ahead it does nothing, as the job comes first; if the node stops before, the job of another one ends them.
 */
export function endSessionsAt(platform: Platform, at: Date): void {
  const wait = at.getTime() - platform.now().getTime()
  const times = awaited.get(platform.sql) ?? new Set()
  awaited.set(platform.sql, times)
  if (wait > LOOK_AHEAD_MS || times.has(at.getTime())) return
  times.add(at.getTime())
  const run = () => {
    times.delete(at.getTime())
    endBlocked(platform).catch((err: unknown) => platform.log.warn({ err }, 'sessions of frozen people'))
  }
  setTimeout(run, Math.max(wait, 0) + TIMER_SLACK_MS).unref()
}

/** Every night: deletes sessions that ended long ago, and unused portal sessions. */
export async function purgeSessions(platform: Platform): Promise<void> {
  const { sql, now } = platform
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS)
  while ((await deleteEndedSessions(sql, ago(KEEP_ENDED_DAYS), BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteUnusedPortalSessions(sql, ago(KEEP_UNUSED_PORTAL_DAYS), BATCH_SIZE)) === BATCH_SIZE);
}
