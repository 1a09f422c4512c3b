import type { Db } from '../../platform/db.ts'
import { backfillLastLogins } from '../user-accounts/index.ts'
import type { LoginRow, VisitRow } from './demo-records.rules.ts'

/** Only what every installation has: no people, organisations or applications of its own. */
export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const [row] = await db<{ empty: boolean }[]>`
    select not exists (select from users) and not exists (select from organizations)
      and not exists (select from applications where not built_in) as empty`
  return row?.empty ?? false
}

export const listUserIds = (db: Db) => db<{ id: string; account: string; category: string | null }[]>`
  select u.id, u.account, c.code as category from users u left join user_categories c on c.id = u.category_id
  where u.enabled and u.activated order by u.account limit 10000`

export const listApplicationIds = (db: Db) => db<{ id: string; appId: string }[]>`
  select id, app_id from applications where not built_in order by position, app_id limit 100`

export async function insertLogins(db: Db, rows: readonly LoginRow[]): Promise<void> {
  await db`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device,
      client_type, on_campus, ip_range, sso_session_id, logout_at, request_id)
    select id, at, "userId", account, 'user', succeeded, reason, ip, "userAgent", browser, device, "clientType",
      "onCampus", (select i.name from ip_ranges i, unnest(i.networks) n where n >>= r.ip order by masklen(n) desc limit 1),
      "ssoSessionId", "logoutAt", ''
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, at timestamptz, "userId" uuid, account text,
      succeeded boolean, reason text, ip inet, "userAgent" text, browser text, device text, "clientType" text,
      "onCampus" boolean, "ssoSessionId" uuid, "logoutAt" timestamptz)`
  await backfillLastLogins(db)
}

export async function insertVisits(db: Db, rows: readonly VisitRow[]): Promise<void> {
  await db`
    insert into visit_records (id, at, user_id, application_id, way, ip, client_type, on_campus, sso_session_id)
    select id, at, "userId", "applicationId", way, ip, "clientType", "onCampus", "ssoSessionId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, at timestamptz, "userId" uuid,
      "applicationId" uuid, way text, ip inet, "clientType" text, "onCampus" boolean, "ssoSessionId" uuid)`
}

export type AuditRow = {
  id: string
  at: string
  actorId: string
  action: string
  targetKind: string
  targetId: string
  reason: string
}

export const insertAudits = (db: Db, rows: readonly AuditRow[]) => db`
  insert into audit_records (id, at, actor_id, actor, action, user_id, target_kind, target_id, reason, ip, user_agent)
  select id, at, "actorId", "actorId"::text, action, "targetId"::uuid, "targetKind", "targetId", reason, '10.20.0.8', ''
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, at timestamptz, "actorId" uuid, action text,
    "targetKind" text, "targetId" text, reason text)`

/** URLs of an application `a`, with `m."from"` replaced by `m."to"`. */
const moveAddresses = (db: Db, addresses: ReturnType<Db>) => db`array(
  select case when starts_with(s, m."from" || '/') then m."to" || substr(s, length(m."from") + 1) else s end
  from unnest(${addresses}) with ordinality u(s, n) order by n)`

/** Moves the demo applications from one base URL to another. @returns how many moved */
export async function moveApplications(
  db: Db,
  moves: readonly { from: string; to: string }[],
  at: Date,
): Promise<number> {
  const rows = await db`
    update applications a set url = m."to" || substr(a.url, length(m."from") + 1), version = a.version + 1, updated_at = ${at},
      service_urls = ${moveAddresses(db, db`a.service_urls`)}, redirect_uris = ${moveAddresses(db, db`a.redirect_uris`)},
      post_logout_redirect_uris = ${moveAddresses(db, db`a.post_logout_redirect_uris`)},
      backchannel_logout_uri = (${moveAddresses(db, db`array[a.backchannel_logout_uri]`)})[1]
    from jsonb_to_recordset(${JSON.stringify(moves)}::text::jsonb) as m("from" text, "to" text)
    where not a.built_in and starts_with(a.url, m."from" || '/')`
  return rows.count
}

/** The same for identity providers: every URL in their settings, which for vendors are origins. */
export const moveProviders = (db: Db, moves: readonly { from: string; to: string }[], at: Date) => db`
  update third_party_providers p set version = p.version + 1, updated_at = ${at},
    settings = replace(replace(p.settings::text, m."from" || '/', m."to" || '/'), m."from" || '"', m."to" || '"')::jsonb
  from jsonb_to_recordset(${JSON.stringify(moves)}::text::jsonb) as m("from" text, "to" text)
  where starts_with(p.settings->>'authorizeUrl', m."from" || '/') or p.settings->>'apiHost' = m."from"`

/** Those of `accounts` whose password is still the one from `at`. */
export const findUnchangedPasswords = (db: Db, accounts: readonly string[], at: Date) => db<{ account: string }[]>`
  select u.account from users u join passwords p on p.user_id = u.id
  where u.account = any(${accounts as string[]}) and u.deleted_at is null and p.changed_at = ${at}`

type NotActivatedRow = { account: string; name: string; idNumber: string }

/** Those who have not activated the account; the ID number is sealed. */
export const listNotActivated = (db: Db, accounts: readonly string[], limit: number) => db<NotActivatedRow[]>`
  select account, name, id_number from users
  where account = any(${accounts as string[]}) and not activated and enabled and deleted_at is null and id_number is not null
  order by account limit ${limit}`

/** Appoints somebody for one organisation of the school with all below it. */
export const insertDelegation = (
  db: Db,
  d: { id: string; account: string; organization: string; powers: readonly string[]; by: string; at: Date },
) => db`
  insert into delegations (id, user_id, organization_id, powers, created_by, created_at, updated_at)
  select ${d.id}, u.id, o.id, ${d.powers as string[]}, ${d.by}, ${d.at}, ${d.at}
  from users u, organizations o where u.account = ${d.account} and o.code = ${d.organization}`
