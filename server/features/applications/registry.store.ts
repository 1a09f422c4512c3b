import type { ReleasedAttribute } from '#shared/contract/attributes.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { hasRole, isWithin } from '../roles/index.ts'

export type SingleLogout = 'none' | 'front-channel' | 'back-channel'

/** What an application is as an OAuth 2.0 client. */
export type OAuthClient = {
  clientId: string
  /** Null: a public client. */
  secretHash: string | null
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  grantTypes: string[]
  /** The scopes it may have; whatever else it asks for is left out. */
  scopes: string[]
  consent: 'implicit' | 'explicit'
  subjectType: 'public' | 'pairwise'
  idTokenAlg: 'RS256' | 'ES256'
  profileStyle: 'nested' | 'flat'
  tokenStyle: 'json' | 'text'
}

/** An application as the protocols need it. */
export type Application = {
  id: string
  appId: string
  name: string
  names: Partial<Record<Language, string>>
  protocol: 'cas' | 'oauth2'
  type: 'system' | 'whitelist'
  url: string | null
  /** An address of our own. */
  picture: string | null
  enabled: boolean
  /** The portal itself. */
  builtIn: boolean
  /** Where `cas:user` / `sub` is taken from. */
  userAttribute: string
  attributes: ReleasedAttribute[]
  serviceUrls: string[]
  singleLogout: SingleLogout
  logoutUrl: string | null
  proxy: boolean
  proxyCallbackUrls: string[]
  casOptions: Record<string, unknown>
  /** Null for a CAS application. */
  client: OAuthClient | null
}

/** The bound of the in-process registry: far above any institution's number, and it keeps the read bounded. */
const MOST_APPLICATIONS = 5000

export const allApplications = (db: Db) => db<Application[]>`
  select id, app_id as "appId", name, names, protocol, type, url, picture, enabled, built_in as "builtIn",
    user_attribute as "userAttribute", attributes, service_urls as "serviceUrls", single_logout as "singleLogout",
    logout_url as "logoutUrl", proxy, proxy_callback_urls as "proxyCallbackUrls", cas_options as "casOptions",
    case when protocol = 'oauth2' and client_id is not null then jsonb_build_object('clientId', client_id,
      'secretHash', client_secret_hash, 'redirectUris', redirect_uris, 'postLogoutRedirectUris', post_logout_redirect_uris,
      'backchannelLogoutUri', backchannel_logout_uri, 'grantTypes', grant_types, 'scopes', scopes, 'consent', consent,
      'subjectType', subject_type, 'idTokenAlg', id_token_alg, 'profileStyle', profile_style,
      'tokenStyle', token_style) end as client
  from applications where deleted_at is null order by app_id limit ${MOST_APPLICATIONS}`

type Portal = { id: string; serviceUrl: string; url: string; name: string; at: Date }

/** Writes the portal's own registration; changes nothing when it already stands as wanted. */
export const savePortal = (db: Db, portal: Portal) => db`
  insert into applications as a (id, app_id, name, protocol, type, url, service_urls, built_in, single_logout, created_at, updated_at)
  values (${portal.id}, 'portal', ${portal.name}, 'cas', 'whitelist', ${portal.url}, ${[portal.serviceUrl]}, true, 'none', ${portal.at}, ${portal.at})
  on conflict (app_id) do update
    set url = excluded.url, service_urls = excluded.service_urls, enabled = true, updated_at = excluded.updated_at
    where a.service_urls is distinct from excluded.service_urls or not a.enabled`

/** SQL condition: is the user `u` (whose organisation is `o`, left-joined) among those whom the grant `g` names? */
const NAMES_USER = `case g.subject_kind
  when 'category' then g.subject_id = u.category_id
  when 'organization' then ${isWithin('g.subject_id')}
  else ${hasRole('g.subject_id')} end`

/**
 * SQL condition: may the user `u` (whose organisation is `o`, left-joined) use the application `a` at `now`?
 * A grant to an organisation reaches its descendants. Grants to one person are looked up by their key: there may be thousands.
 */
export const grantHolds = (db: Db, now: Date) => db`
  (a.type = 'whitelist' or exists (
    select from application_grants g
    where g.application_id = a.id and g.subject_kind in ('role', 'organization', 'category')
      and (g.valid_from is null or g.valid_from <= ${now}) and (g.valid_until is null or g.valid_until > ${now})
      and ${db.unsafe(NAMES_USER)}
  ) or exists (
    select from application_grants g
    where g.application_id = a.id and g.subject_kind = 'user' and g.subject_id = u.id
      and (g.valid_from is null or g.valid_from <= ${now}) and (g.valid_until is null or g.valid_until > ${now})))`
