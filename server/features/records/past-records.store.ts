import type { Db } from '../../platform/db.ts'

export type PastLogin = {
  id: string
  at: string
  userId: string | null
  account: string
  succeeded: boolean
  reason: string | null
  ip: string
  userAgent: string
  browser: string
  device: string
  clientType: string
  onCampus: boolean
  ssoSessionId: string | null
  logoutAt: string | null
}

export type PastVisit = {
  id: string
  at: string
  userId: string
  applicationId: string
  entry: 'portal' | 'sign-on'
  ip: string
  clientType: string
  onCampus: boolean
  ssoSessionId: string
}

/** Logins of a time before this one was installed; the range of an address is looked up by the ranges of today. */
export async function insertPastLogins(db: Db, rows: readonly PastLogin[]): Promise<void> {
  await db`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device,
      client_type, on_campus, ip_range, sso_session_id, logout_at, request_id)
    select id, at, "userId", account, 'user', succeeded, reason, ip, "userAgent", browser, device, "clientType",
      "onCampus", (select i.name from ip_ranges i, unnest(i.networks) n where n >>= r.ip order by masklen(n) desc limit 1),
      "ssoSessionId", "logoutAt", ''
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, at timestamptz, "userId" uuid, account text,
      succeeded boolean, reason text, ip inet, "userAgent" text, browser text, device text, "clientType" text,
      "onCampus" boolean, "ssoSessionId" uuid, "logoutAt" timestamptz)`
}

export async function insertPastVisits(db: Db, rows: readonly PastVisit[]): Promise<void> {
  await db`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, sso_session_id)
    select id, at, "userId", "applicationId", entry, ip, "clientType", "onCampus", "ssoSessionId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, at timestamptz, "userId" uuid,
      "applicationId" uuid, entry text, ip inet, "clientType" text, "onCampus" boolean, "ssoSessionId" uuid)`
}

export type PastAudit = {
  id: string
  at: string
  actorId: string
  action: string
  targetKind: string
  targetId: string
  reason: string
}

export const insertPastAudits = (db: Db, rows: readonly PastAudit[]) => db`
  insert into audit_records (id, at, actor_id, actor, action, user_id, target_kind, target_id, reason, ip, user_agent)
  select id, at, "actorId", "actorId"::text, action, "targetId"::uuid, "targetKind", "targetId", reason, '10.20.0.8', ''
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, at timestamptz, "actorId" uuid, action text,
    "targetKind" text, "targetId" text, reason text)`
