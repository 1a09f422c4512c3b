import type { ApplicationFields, Protocol } from '#shared/contract/application-fields.ts'
import { type Db, isConstraintViolation } from '../../platform/db.ts'

/** An application as stored in its table; addresses too, even those that a rule would reject today. */
export type ApplicationRow = Omit<ApplicationFields, 'userAttribute' | 'grantTypes' | 'casOptions' | 'template'> & {
  id: string
  appId: string
  namePinyin: string
  nameInitials: string
  protocol: Protocol
  template: string | null
  picture: string | null
  enabled: boolean
  deletedAt: Date | null
  builtIn: boolean
  userAttribute: string
  grantTypes: string[]
  casOptions: Record<string, unknown>
  clientSecretHash: string | null
  createdAt: Date
  updatedAt: Date
  version: number
}

const columns = (db: Db) => db`
  a.id, a.app_id, a.name, a.names, a.name_pinyin, a.name_initials,
  a.description, a.descriptions, a.category_id, a.protocol, a.template, a.type, a.url, a.picture, a.position, a.enabled,
  a.deleted_at, a.built_in, a.user_attribute, a.attributes,
  a.service_urls, a.single_logout, a.logout_url, a.proxy,
  a.proxy_callback_urls, a.cas_options, a.client_id,
  a.client_secret_hash, a.redirect_uris,
  a.post_logout_redirect_uris, a.backchannel_logout_uri,
  a.grant_types, a.scopes, a.consent, a.subject_type, a.id_token_alg,
  a.id_token_claims, a.resource_server,
  a.profile_style, a.token_style, a.created_at, a.updated_at,
  a.version`

export const findApplicationsById = (db: Db, ids: readonly string[]) => db<ApplicationRow[]>`
  select ${columns(db)} from applications a where a.id = any(${ids as string[]}::uuid[]) limit 1000`

/** With a lock on its row until the transaction ends. */
export async function lockApplication(db: Db, id: string): Promise<ApplicationRow | null> {
  const [row] = await db<ApplicationRow[]>`select ${columns(db)} from applications a where a.id = ${id} for update`
  return row ?? null
}

const VIOLATIONS = [
  ['appId', 'unique', 'applications_app_id_key'],
  ['clientId', 'unique', 'applications_client_id_key'],
  ['categoryId', 'reference', 'applications_category_id_fkey'],
] as const

/** What somebody else took or deleted since the check. */
export type ConcurrentWriteError = (typeof VIOLATIONS)[number][0]

/**
 * Writes whole applications, new and existing; increments the version of existing ones.
 * @returns null, or why nothing could be written; then the transaction must be rolled back.
 */
export async function saveApplications(
  db: Db,
  rows: readonly ApplicationRow[],
  now: Date,
): Promise<ConcurrentWriteError | null> {
  try {
    if (rows.length > 0) await upsertApplications(db, rows, now)
    return null
  } catch (error) {
    const [name] = VIOLATIONS.find(([, what, constraint]) => isConstraintViolation(error, what, constraint)) ?? []
    if (name) return name
    throw error
  }
}

const upsertApplications = (db: Db, rows: readonly ApplicationRow[], now: Date) => db`
    insert into applications as a (id, app_id, name, names, name_pinyin, name_initials, description, descriptions, category_id,
      protocol, template, type, url, picture, position, enabled, deleted_at, user_attribute, attributes, service_urls, single_logout,
      logout_url, proxy, proxy_callback_urls, cas_options, client_id, client_secret_hash, redirect_uris,
      post_logout_redirect_uris, backchannel_logout_uri, grant_types, scopes, consent, subject_type, id_token_alg,
      id_token_claims, resource_server, profile_style, token_style, created_at, updated_at)
    select r.id, r."appId", r.name, r.names, r."namePinyin", r."nameInitials", r.description, r.descriptions, r."categoryId",
      r.protocol, r.template, r.type, r.url, r.picture, r.position, r.enabled, r."deletedAt", r."userAttribute", r.attributes,
      r."serviceUrls", r."singleLogout", r."logoutUrl", r.proxy, r."proxyCallbackUrls", r."casOptions", r."clientId",
      r."clientSecretHash", r."redirectUris", r."postLogoutRedirectUris", r."backchannelLogoutUri", r."grantTypes", r.scopes,
      r.consent, r."subjectType", r."idTokenAlg", r."idTokenClaims", r."resourceServer", r."profileStyle",
      r."tokenStyle", ${now}, ${now}
    from ${rowsOf(db, rows)} order by r."appId"
    on conflict (id) do update set name = excluded.name, names = excluded.names, name_pinyin = excluded.name_pinyin,
      name_initials = excluded.name_initials, description = excluded.description, descriptions = excluded.descriptions,
      category_id = excluded.category_id, template = excluded.template, type = excluded.type, url = excluded.url, picture = excluded.picture,
      position = excluded.position, enabled = excluded.enabled, deleted_at = excluded.deleted_at,
      user_attribute = excluded.user_attribute, attributes = excluded.attributes, service_urls = excluded.service_urls,
      single_logout = excluded.single_logout, logout_url = excluded.logout_url, proxy = excluded.proxy,
      proxy_callback_urls = excluded.proxy_callback_urls, cas_options = excluded.cas_options, client_id = excluded.client_id,
      client_secret_hash = excluded.client_secret_hash, redirect_uris = excluded.redirect_uris,
      post_logout_redirect_uris = excluded.post_logout_redirect_uris,
      backchannel_logout_uri = excluded.backchannel_logout_uri, grant_types = excluded.grant_types, scopes = excluded.scopes,
      consent = excluded.consent, subject_type = excluded.subject_type, id_token_alg = excluded.id_token_alg,
      id_token_claims = excluded.id_token_claims, resource_server = excluded.resource_server,
      profile_style = excluded.profile_style, token_style = excluded.token_style, version = a.version + 1, updated_at = ${now}`

const rowsOf = (db: Db, rows: readonly ApplicationRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, "appId" text, name text, names jsonb,
    "namePinyin" text, "nameInitials" text, description text, descriptions jsonb, "categoryId" uuid, protocol text,
    template text, type text, url text, picture text, position int, enabled boolean, "deletedAt" timestamptz, "userAttribute" text,
    attributes jsonb, "serviceUrls" text[], "singleLogout" text, "logoutUrl" text, proxy boolean,
    "proxyCallbackUrls" text[], "casOptions" jsonb, "clientId" text, "clientSecretHash" text, "redirectUris" text[],
    "postLogoutRedirectUris" text[], "backchannelLogoutUri" text, "grantTypes" text[], scopes text[], consent text,
    "subjectType" text, "idTokenAlg" text, "idTokenClaims" boolean, "resourceServer" boolean,
    "profileStyle" text, "tokenStyle" text)`

/** Which of these codes and client ids other applications have; deleted ones count, since they can be restored. */
export const findTakenNames = (db: Db, names: { exceptId: string | null; appIds: string[]; clientIds: string[] }) => db<
  { appId: string; clientId: string | null }[]
>`
  select app_id, client_id from applications
  where id is distinct from ${names.exceptId}::uuid
    and (app_id = any(${names.appIds}) or client_id = any(${names.clientIds})) limit 1000`

/** What disabling an application would affect. */
export async function countImpact(db: Db, id: string, now: Date) {
  const since = new Date(now.getTime() - 30 * 24 * 3_600_000)
  const [row] = await db<{ inside: number; grants: number; consents: number; visits: number }[]>`
    select
      (select count(distinct s.user_id)::int from (
        select id, user_id from sso_sessions where ended_at is null and expires_at > ${now} order by opened_at desc limit 50000
      ) s where exists (select from session_clients v where v.sso_session_id = s.id and v.application_id = ${id})
        or exists (
          select from session_services v
          where v.sso_session_id = s.id and v.application_id = ${id} and v.ticket is not null)) as inside,
      (select count(*)::int from application_grants where application_id = ${id}) as grants,
      (select count(*)::int from (select 1 from consents where application_id = ${id} limit 10001) c) as consents,
      (select count(*)::int from (
        select 1 from visit_records where application_id = ${id} and at > ${since} and refusal is null limit 10001) c) as visits`
  return row ?? { inside: 0, grants: 0, consents: 0, visits: 0 }
}
