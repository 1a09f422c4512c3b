import { validate as isUuid, v7 } from 'uuid'
import { type Context, callerOf } from '../../platform/platform.ts'
import { mapInSlices } from '../../platform/slices.ts'
import type { SaidRule } from '../access/index.ts'
import { type ClientDetails, loadClientDetails } from './client-details.service.ts'
import { insertAudit, insertAudits, insertLogin, insertVisit, setLogoutTime } from './records.store.ts'

type LoginInput = {
  userId: string | null
  /** The typed name if somebody has it, else masked. */
  account: string
  authType: string
  succeeded: boolean
  reason: string | null
  applicationId: string | null
  ssoSessionId: string | null
  secondFactor?: string | null
  /** Tells unknown names apart, which are masked. */
  accountMac?: number | null
  details: ClientDetails
  /** The access rules that applied to it. */
  said: readonly SaidRule[]
}

const UNSAID = { secondFactor: null, accountMac: null }

/** Writes the login record; committed before the answer. `ctx.db` decides the transaction. */
export async function recordLogin(ctx: Context, login: LoginInput): Promise<void> {
  await insertLogin(ctx.db, { id: v7(), at: ctx.now(), requestId: ctx.client.requestId, ...UNSAID, ...login })
}

/** Writes the logout time into the login records of ended sessions. */
export async function recordLogout(ctx: Context, ssoSessionIds: string[]): Promise<void> {
  if (ssoSessionIds.length > 0) await setLogoutTime(ctx.db, ssoSessionIds, ctx.now())
}

type VisitInput = {
  userId: string
  applicationId: string
  entry: 'portal' | 'sign-on' | 'application'
  ssoSessionId: string | null
  details: ClientDetails
  /** The gate's reason why the application was not entered. */
  refusal?: string
}

/** Records that a person entered an application, or was refused. */
export async function recordVisit(ctx: Context, visit: VisitInput): Promise<void> {
  await insertVisit(ctx.db, { id: v7(), at: ctx.now(), refusal: null, ...visit })
}

/** Records per minute of one session refused by one application: reloading must not bury others. */
const MAX_REFUSED_VISITS = 5

/** Records that a logged-in person was refused by an application. */
export async function recordRefusedVisit(
  ctx: Context,
  visit: Omit<VisitInput, 'details'> & { refusal: string },
): Promise<void> {
  const times = await ctx.state.increment('refused-visit', `${visit.ssoSessionId} ${visit.applicationId}`, 60)
  if (times > MAX_REFUSED_VISITS) return
  await recordVisit(ctx, { ...visit, details: await loadClientDetails(ctx) })
}

export type AuditInput = {
  /** One of shared/contract/audit-actions.ts, with the message `action.<name>`: checked by a test. */
  action: string
  /** The account concerned, whose owner sees it; taken from the target if that is a person. */
  userId?: string
  targetKind: string
  targetId: string
  before?: unknown
  after?: unknown
  reason?: string
  /** The actor if nobody is logged in: a job, the command line. */
  actor?: string
}

/** Writes the audit record of a change: who, what, before and after (masked by the caller), from where; in the change's transaction. */
export async function recordAudit(ctx: Context, audit: AuditInput): Promise<void> {
  await insertAudit(ctx.db, toAuditRow(ctx, audit))
}

/** As `recordAudit`, for changes of thousands of accounts at once. */
export async function recordAudits(ctx: Context, audits: readonly AuditInput[]): Promise<void> {
  for (let from = 0; from < audits.length; from += AUDIT_CHUNK) {
    const chunk = audits.slice(from, from + AUDIT_CHUNK)
    await insertAudits(ctx.db, await mapInSlices(chunk, (audit) => toAuditRow(ctx, audit)))
  }
}

/** Few enough that writing them as one text blocks nobody for long. */
const AUDIT_CHUNK = 500

const toAuditRow = (ctx: Context, audit: AuditInput) => ({
  id: v7(),
  at: ctx.now(),
  actorId: ctx.caller?.userId ?? null,
  actor: audit.actor ?? ctx.caller?.userId ?? 'system',
  action: audit.action,
  userId: audit.userId ?? (audit.targetKind === 'user' && isUuid(audit.targetId) ? audit.targetId : null),
  targetKind: audit.targetKind,
  targetId: audit.targetId,
  before: audit.before ?? null,
  after: audit.after ?? null,
  reason: audit.reason ?? null,
  client: ctx.client,
})

/** Records per minute of rejected calls, per person or network: enough to be noticed, too few to bury others. */
const MAX_DENIED_LINES = 5

/** The audit record of a back-office call for which the caller has no permission. */
export async function recordDenied(ctx: Context, { method, path }: { method: string; path: string }): Promise<void> {
  const times = await ctx.state.increment('denied', ctx.caller?.userId ?? '', 60)
  if (times > MAX_DENIED_LINES) return
  await recordAudit(ctx, { action: 'permission.denied', targetKind: 'call', targetId: `${method} ${path}` })
}

type RefusedRequest = {
  /** The client id or service address in the request. Untrusted. */
  claimed: string
  reason: string
}

/** The audit record of a protocol request that could not be answered to the application it named. */
export async function recordRefusedRequest(ctx: Context, { claimed, reason }: RefusedRequest): Promise<void> {
  const times = await ctx.state.increment('refused-request', ctx.client.ip, 60)
  if (times > MAX_DENIED_LINES) return
  const targetId = claimed.replace(/[\p{C}]/gu, '').slice(0, 200)
  await recordAudit(ctx, { action: 'request.refused', targetKind: 'application', targetId, reason, actor: 'anonymous' })
}

/**
 * The audit record of reading others' records, of one person or of many; one per minute and kind, as a search is repeated with each letter.
 */
export async function recordReading(
  ctx: Context,
  { what, userId }: { what: 'login-log' | 'app-visit-log' | 'message-log' | 'log-insights'; userId: string | null },
): Promise<void> {
  const reader = callerOf(ctx).userId
  if (userId === reader) return
  const times = await ctx.state.increment('records-read', `${reader} ${what} ${userId ?? ''}`, 60)
  if (times > 1) return
  const target = { targetKind: 'records', targetId: userId ?? what }
  await recordAudit(ctx, { action: 'records.read', ...target, after: { list: `${what}.title` } })
}
