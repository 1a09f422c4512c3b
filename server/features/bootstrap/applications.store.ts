import type { ReleasedAttribute } from '#shared/contract/attributes.ts'
import type { Db } from '../../platform/db.ts'

export type ApplicationRow = {
  id: string
  appId: string
  name: string
  names: Record<string, string>
  namePinyin: string
  nameInitials: string
  description: string
  descriptions: Record<string, string>
  categoryId: string | null
  protocol: 'cas' | 'oauth2'
  type: 'system' | 'whitelist'
  url: string | null
  picture: string | null
  position: number
  enabled: boolean
  /** In the back office; it is restored there too, and stays disabled until then. */
  deleted: boolean
  userAttribute: string
  attributes: ReleasedAttribute[]
  serviceUrls: string[]
  singleLogout: 'none' | 'front-channel' | 'back-channel'
  logoutUrl: string | null
  proxy: boolean
  proxyCallbackUrls: string[]
  casOptions: Record<string, unknown>
  clientId: string | null
  clientSecretHash: string | null
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  grantTypes: string[]
  scopes: string[]
  consent: 'implicit' | 'explicit'
  idTokenAlg: 'RS256' | 'ES256'
  idTokenClaims: boolean
  resourceServer: boolean
  subjectType: 'public' | 'pairwise'
}

const MAX_APPLICATIONS = 5000

export const listApplications = (db: Db) => db<ApplicationRow[]>`
  select id, app_id, name, names, name_pinyin, name_initials, description,
    descriptions, category_id, protocol, type, url, picture, position, enabled,
    deleted_at is not null as deleted,
    user_attribute, attributes, service_urls, single_logout,
    logout_url, proxy, proxy_callback_urls, cas_options, client_id,
    client_secret_hash, redirect_uris,
    post_logout_redirect_uris, backchannel_logout_uri,
    grant_types, scopes, consent, id_token_alg,
    id_token_claims, resource_server, subject_type
  from applications where not built_in order by app_id limit ${MAX_APPLICATIONS}`

const rowsOf = (db: Db, rows: readonly ApplicationRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, "appId" text, name text, names jsonb,
    "namePinyin" text, "nameInitials" text, description text, descriptions jsonb, "categoryId" uuid, protocol text,
    type text, url text, picture text, position int, enabled boolean, "userAttribute" text, attributes jsonb,
    "serviceUrls" text[], "singleLogout" text, "logoutUrl" text, proxy boolean, "proxyCallbackUrls" text[], "casOptions" jsonb,
    "clientId" text, "clientSecretHash" text, "redirectUris" text[], "postLogoutRedirectUris" text[],
    "backchannelLogoutUri" text, "grantTypes" text[], scopes text[], consent text, "idTokenAlg" text,
    "idTokenClaims" boolean, "resourceServer" boolean, "subjectType" text)`

export async function insertApplications(db: Db, rows: readonly ApplicationRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into applications (id, app_id, name, names, name_pinyin, name_initials, description, descriptions, category_id,
      protocol, type, url, picture, position, enabled, user_attribute, attributes, service_urls, single_logout, logout_url,
      proxy, proxy_callback_urls, cas_options, client_id, client_secret_hash, redirect_uris, post_logout_redirect_uris,
      backchannel_logout_uri, grant_types, scopes, consent, id_token_alg, id_token_claims, resource_server, subject_type,
      created_at, updated_at)
    select r.id, r."appId", r.name, r.names, r."namePinyin", r."nameInitials", r.description, r.descriptions, r."categoryId",
      r.protocol, r.type, r.url, r.picture, r.position, r.enabled, r."userAttribute", r.attributes, r."serviceUrls",
      r."singleLogout", r."logoutUrl", r.proxy, r."proxyCallbackUrls", r."casOptions", r."clientId", r."clientSecretHash", r."redirectUris",
      r."postLogoutRedirectUris", r."backchannelLogoutUri", r."grantTypes", r.scopes, r.consent, r."idTokenAlg",
      r."idTokenClaims", r."resourceServer", r."subjectType",
      ${now}, ${now}
    from ${rowsOf(db, rows)}`
}

export async function updateApplications(db: Db, rows: readonly ApplicationRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db`
    update applications a set name = r.name, names = r.names, name_pinyin = r."namePinyin",
      name_initials = r."nameInitials", description = r.description, descriptions = r.descriptions,
      category_id = r."categoryId", protocol = r.protocol, type = r.type, url = r.url, picture = r.picture,
      position = r.position, enabled = r.enabled, user_attribute = r."userAttribute", attributes = r.attributes,
      service_urls = r."serviceUrls", single_logout = r."singleLogout", logout_url = r."logoutUrl", proxy = r.proxy,
      proxy_callback_urls = r."proxyCallbackUrls", cas_options = r."casOptions", client_id = r."clientId", client_secret_hash = r."clientSecretHash",
      redirect_uris = r."redirectUris", post_logout_redirect_uris = r."postLogoutRedirectUris",
      backchannel_logout_uri = r."backchannelLogoutUri", grant_types = r."grantTypes", scopes = r.scopes,
      consent = r.consent, id_token_alg = r."idTokenAlg", id_token_claims = r."idTokenClaims",
      resource_server = r."resourceServer", subject_type = r."subjectType", version = a.version + 1, updated_at = ${now}
    from ${rowsOf(db, rows)} where a.id = r.id`
}

export type SubjectKind = 'role' | 'organization' | 'category' | 'user'
export type GrantRow = { applicationId: string; kind: SubjectKind; subjectId: string }

const MAX_GRANTS = 1_000_000

export const listGrants = (db: Db, applicationIds: readonly string[]) => db<GrantRow[]>`
  select application_id, subject_kind as kind, subject_id
  from application_grants where application_id = any(${applicationIds as string[]}::uuid[]) limit ${MAX_GRANTS}`

const grantRows = (db: Db, rows: readonly GrantRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r("applicationId" uuid, kind text, "subjectId" uuid)`

export async function insertGrants(db: Db, rows: readonly GrantRow[]): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into application_grants (application_id, subject_kind, subject_id)
    select r."applicationId", r.kind, r."subjectId" from ${grantRows(db, rows)}`
}

export async function deleteGrants(db: Db, rows: readonly GrantRow[]): Promise<void> {
  if (rows.length === 0) return
  await db`
    delete from application_grants g using ${grantRows(db, rows)}
    where g.application_id = r."applicationId" and g.subject_kind = r.kind and g.subject_id = r."subjectId"`
}
