import { v7 } from 'uuid'
import type { TestServer } from './server.ts'

type Login = Partial<{
  at: Date
  account: string
  authType: string
  succeeded: boolean
  reason: string | null
  ip: string
  browser: string
  device: string
  clientType: string
  onCampus: boolean
  ssoSessionId: string | null
  applicationId: string | null
}>

/** Writes a login record directly into the database. @returns its id */
export async function insertLoginRecord(server: TestServer, userId: string | null, login: Login = {}): Promise<string> {
  const { succeeded = true, reason = null, ssoSessionId = null, applicationId = null } = login
  const id = v7()
  await server.platform.sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device,
      client_type, on_campus, sso_session_id, application_id, request_id)
    values (${id}, ${login.at ?? server.platform.now()}, ${userId}, ${login.account ?? 'somebody'},
      ${login.authType ?? 'user'}, ${succeeded}, ${reason}, ${login.ip ?? '192.0.2.7'}, '', ${login.browser ?? 'Chrome 140'},
      ${login.device ?? 'Windows 11'}, ${login.clientType ?? 'pc'}, ${login.onCampus ?? false}, ${ssoSessionId},
      ${applicationId}, '')`
  return id
}

type Audit = Partial<{
  at: Date
  action: string
  actorId: string | null
  actor: string
  before: object
  after: object
  reason: string
  ip: string
}>

/** Writes an audit record about a person's account directly into the database. */
export async function insertAuditRecord(server: TestServer, userId: string, audit: Audit = {}): Promise<void> {
  const { actorId = userId, before = null, after = null, reason = null } = audit
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  await server.platform.sql`
    insert into audit_records (id, at, actor_id, actor, action, user_id, target_kind, target_id, before, after, reason, ip)
    values (${v7()}, ${audit.at ?? server.platform.now()}, ${actorId}, ${audit.actor ?? actorId ?? 'system'},
      ${audit.action ?? 'password.change'}, ${userId}, 'user', ${userId}, ${json(before)}::text::jsonb,
      ${json(after)}::text::jsonb, ${reason}, ${audit.ip ?? '192.0.2.7'})`
}

/** Moves the clock into the middle of the next hour, so that what is counted by hour or day falls into one. */
export function moveToMidHour(server: TestServer): void {
  server.advance(3600 - ((server.platform.now().getTime() / 1000) % 3600) + 1800)
}
