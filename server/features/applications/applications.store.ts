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

/** More than any institution has. */
const MAX_APPLICATIONS = 5000

/** All but the portal, deleted ones too. */
export const listApplicationRows = (db: Db) => db<ApplicationRow[]>`
  select ${columns(db)} from applications a where not a.built_in order by a.app_id limit ${MAX_APPLICATIONS}`

/** The same with locks on their rows until the transaction ends. */
export const lockApplications = (db: Db, ids: readonly string[]) => db<ApplicationRow[]>`
  select ${columns(db)} from applications a where a.id = any(${ids as string[]}::uuid[]) order by a.id for update`

/** With a lock on its row until the transaction ends. */
export async function lockApplication(db: Db, id: string): Promise<ApplicationRow | null> {
  const [row] = await lockApplications(db, [id])
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
      category_id = excluded.category_id, protocol = excluded.protocol, template = excluded.template, type = excluded.type, url = excluded.url, picture = excluded.picture,
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

/** Gives the applications of a category another one; null: none. */
export const moveToCategory = (db: Db, from: string, to: string | null) =>
  db`update applications set category_id = ${to} where category_id = ${from}`

type ClientSecretUpdate = { appId: string; hash: string; version: number | null; now: Date }

/** Replaces the secret of an OAuth client. @returns its id; null if there is none, or it has another version */
export async function updateClientSecret(
  db: Db,
  { appId, hash, version, now }: ClientSecretUpdate,
): Promise<string | null> {
  const [saved] = await db<{ id: string }[]>`
    update applications set client_secret_hash = ${hash}, version = version + 1, updated_at = ${now}
    where app_id = ${appId} and protocol = 'oauth2' and client_id is not null
      and (${version}::int is null or version = ${version})
    returning id`
  return saved?.id ?? null
}

/** URLs of an application `a`, with `m."from"` replaced by `m."to"`. */
const moveAddresses = (db: Db, addresses: ReturnType<Db>) => db`array(
  select case when starts_with(s, m."from" || '/') then m."to" || substr(s, length(m."from") + 1) else s end
  from unnest(${addresses}) with ordinality u(s, n) order by n)`

/** Moves applications from one base URL to another. @returns how many moved */
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
