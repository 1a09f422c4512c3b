import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { type Platform, systemContext } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { endSsoSessions } from './sso-session.service.ts'
import {
  deleteEndedSessions,
  deleteUnusedPortalSessions,
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
  const ctx = systemContext(platform)
  for (;;) {
    const ids = await listSessionIdsOfBlockedUsers(ctx.db, ctx.now(), BATCH_SIZE)
    await endSsoSessions(ctx, { ids }, 'account')
    if (ids.length < BATCH_SIZE) return
  }
}

/** Every night: deletes sessions that ended long ago, and unused portal sessions. */
export async function purgeSessions(platform: Platform): Promise<void> {
  const { sql, now } = platform
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS)
  while ((await deleteEndedSessions(sql, ago(KEEP_ENDED_DAYS), BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteUnusedPortalSessions(sql, ago(KEEP_UNUSED_PORTAL_DAYS), BATCH_SIZE)) === BATCH_SIZE);
}
