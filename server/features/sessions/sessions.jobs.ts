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

/** Rows of one statement: short locks, however much there is to do. */
const BATCH_SIZE = 500
/** A ticket's record must outlive the session for as long as single logout may still be tried. */
const KEEP_ENDED_DAYS = 30
const KEEP_UNUSED_PORTAL_DAYS = 7
/** "Last seen" may be that much behind (see `TOUCH_AFTER_MS`), so nobody is sent away early. */
const GRACE_MS = 60_000

/** By which times a session is over. */
export function staleBy(policy: SignInPolicy, now: Date): StaleSessionFilter {
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000 - GRACE_MS)
  return {
    now,
    idleSince: before(policy.sessionIdleMinutes),
    portalIdleSince: policy.switchOfExpirationLogout === '1' ? before(policy.expirationMinutes) : null,
  }
}

/**
 * Every minute: marks as ended what no request will come for any more. The gate refuses it anyway; this writes the logout time and
 * ends a sign-on session whose portal page was left idle. Applications are not told: they count their own idle time.
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
 * Every minute: ends the sessions of people who were disabled, locked by an administrator, frozen or deleted, or whose time is over, whichever way that
 * was written. The gate refuses them from that moment on; this tells the applications that keep a session of their own.
 */
export async function endSessionsOfBlockedUsers(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  for (;;) {
    const ids = await listSessionIdsOfBlockedUsers(ctx.db, ctx.now(), BATCH_SIZE)
    await endSsoSessions(ctx, { ids }, 'account')
    if (ids.length < BATCH_SIZE) return
  }
}

/** Every night: forgets sessions that ended long ago, and portal sessions that nobody came back to. */
export async function purgeSessions(platform: Platform): Promise<void> {
  const { sql, now } = platform
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS)
  while ((await deleteEndedSessions(sql, ago(KEEP_ENDED_DAYS), BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteUnusedPortalSessions(sql, ago(KEEP_UNUSED_PORTAL_DAYS), BATCH_SIZE)) === BATCH_SIZE);
}
