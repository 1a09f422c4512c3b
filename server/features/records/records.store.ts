import type { Db } from '../../platform/db.ts'
import type { Client } from '../../platform/platform.ts'
import type { SaidRule } from '../access/index.ts'
import type { ClientDetails } from './client-details.service.ts'

type LoginRow = {
  id: string
  at: Date
  userId: string | null
  account: string
  authType: string
  succeeded: boolean
  reason: string | null
  applicationId: string | null
  ssoSessionId: string | null
  requestId: string
  /** The second factor that was proved. */
  secondFactor: string | null
  accountMac: number | null
  details: ClientDetails
  said: readonly SaidRule[]
}

export async function insertLogin(db: Db, row: LoginRow): Promise<void> {
  const { details } = row
  await db`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device,
      client_type, on_campus, ip_range, sso_session_id, application_id, request_id, second_factor, account_mac, rule_outcomes)
    values (${row.id}, ${row.at}, ${row.userId}, ${row.account}, ${row.authType}, ${row.succeeded}, ${row.reason},
      ${details.ip}, ${details.userAgent}, ${details.browser}, ${details.device}, ${details.clientType}, ${details.onCampus},
      ${details.ipRange}, ${row.ssoSessionId}, ${row.applicationId}, ${row.requestId}, ${row.secondFactor}, ${row.accountMac},
      ${row.said.length > 0 ? JSON.stringify(row.said) : null}::text::jsonb)`
}

export async function setLogoutTime(db: Db, ssoSessionIds: string[], at: Date): Promise<void> {
  await db`
    update login_records r set logout_at = ${at}
    from sso_sessions s
    where s.id = any(${ssoSessionIds}::uuid[]) and r.sso_session_id = s.id and r.at >= s.opened_at and r.logout_at is null`
}

type VisitRow = {
  id: string
  at: Date
  userId: string
  applicationId: string
  entry: string
  ssoSessionId: string | null
  details: ClientDetails
  /** Why the application was not entered; null: it was. */
  refusal: string | null
}

const INSERT_VISITS =
  'insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, ip_range, sso_session_id)'

/** Visit records as part of a larger statement (SQL). @param rows a query with its columns in the order of `INSERT_VISITS` */
export const insertVisitsText = (rows: string): string => `${INSERT_VISITS} ${rows}`

export async function insertVisit(db: Db, row: VisitRow): Promise<void> {
  await db`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, ip_range, sso_session_id, refusal)
    values (${row.id}, ${row.at}, ${row.userId}, ${row.applicationId}, ${row.entry}, ${row.details.ip},
      ${row.details.clientType}, ${row.details.onCampus}, ${row.details.ipRange}, ${row.ssoSessionId}, ${row.refusal})`
}

type AuditRow = {
  id: string
  at: Date
  actorId: string | null
  actor: string
  action: string
  userId: string | null
  targetKind: string
  targetId: string
  before: unknown
  after: unknown
  reason: string | null
  client: Client
}

/** Many records at once, with the same time and client. */
export async function insertAudits(db: Db, rows: readonly AuditRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const lines = rows.map(({ client: _, at: __, ...row }) => row)
  await db`
    insert into audit_records (id, at, actor_id, actor, action, user_id, target_kind, target_id, before, after, reason, ip,
      user_agent, request_id)
    select id, ${first.at}, "actorId", actor, action, "userId", "targetKind", "targetId", nullif(before, 'null'),
      nullif(after, 'null'), reason, ${first.client.ip || null}::inet, ${first.client.userAgent}, ${first.client.requestId}
    from jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as r(id uuid, "actorId" uuid, actor text, action text,
      "userId" uuid, "targetKind" text, "targetId" text, before jsonb, after jsonb, reason text)`
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export async function insertAudit(db: Db, row: AuditRow): Promise<void> {
  await db`
    insert into audit_records (id, at, actor_id, actor, action, user_id, target_kind, target_id, before, after, reason, ip, user_agent, request_id)
    values (${row.id}, ${row.at}, ${row.actorId}, ${row.actor}, ${row.action}, ${row.userId}, ${row.targetKind},
      ${row.targetId}, ${json(row.before)}::text::jsonb, ${json(row.after)}::text::jsonb, ${row.reason},
      ${row.client.ip || null}, ${row.client.userAgent}, ${row.client.requestId})`
}
