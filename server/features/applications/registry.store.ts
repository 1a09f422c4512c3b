import type { ReleasedAttribute } from '#shared/contract/attributes.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

export type SingleLogout = 'none' | 'front-channel' | 'back-channel'

/** An application as an OAuth 2.0 client. */
export type OAuthClient = {
  clientId: string
  /** Null: a public client. */
  secretHash: string | null
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  grantTypes: string[]
  /** The scopes it may have; others that it requests are dropped. */
  scopes: string[]
  consent: 'implicit' | 'explicit'
  subjectType: 'public' | 'pairwise'
  idTokenAlg: 'RS256' | 'ES256'
  /** Claims are in the ID token too. */
  idTokenClaims: boolean
  /** May introspect the access tokens of every application. */
  resourceServer: boolean
  profileStyle: 'nested' | 'flat'
  tokenStyle: 'json' | 'text'
}

/** An application as the protocols need it. */
export type Application = {
  id: string
  appId: string
  name: string
  names: Record<Language, string>
  protocol: 'cas' | 'oauth2'
  type: 'system' | 'whitelist'
  url: string | null
  /** A path on our own host. */
  picture: string | null
  enabled: boolean
  /** The portal itself. */
  builtIn: boolean
  /** The attribute used as `cas:user` / `sub`. */
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

/** Limit of the in-process registry: far more than any institution has. */
const MAX_APPLICATIONS = 5000

export const listAllApplications = (db: Db) => db<Application[]>`
  select id, app_id, name, names, protocol, type, url, picture, enabled, built_in,
    user_attribute, attributes, service_urls, single_logout,
    logout_url, proxy, proxy_callback_urls, cas_options,
    case when protocol = 'oauth2' and client_id is not null then jsonb_build_object('clientId', client_id,
      'secretHash', client_secret_hash, 'redirectUris', redirect_uris, 'postLogoutRedirectUris', post_logout_redirect_uris,
      'backchannelLogoutUri', backchannel_logout_uri, 'grantTypes', grant_types, 'scopes', scopes, 'consent', consent,
      'subjectType', subject_type, 'idTokenAlg', id_token_alg, 'idTokenClaims', id_token_claims,
      'resourceServer', resource_server, 'profileStyle', profile_style,
      'tokenStyle', token_style) end as client
  from applications where deleted_at is null order by app_id limit ${MAX_APPLICATIONS}`

type PortalApplication = { id: string; serviceUrl: string; url: string; name: string; at: Date }

/** Writes the portal's own registration; changes nothing if it is up to date. */
export const upsertPortalApplication = (db: Db, portal: PortalApplication) => db`
  insert into applications as a (id, app_id, name, protocol, type, url, service_urls, built_in, single_logout, created_at, updated_at)
  values (${portal.id}, 'portal', ${portal.name}, 'cas', 'whitelist', ${portal.url}, ${[portal.serviceUrl]}, true, 'none', ${portal.at}, ${portal.at})
  on conflict (app_id) do update
    set url = excluded.url, service_urls = excluded.service_urls, enabled = true, updated_at = excluded.updated_at
    where a.service_urls is distinct from excluded.service_urls or not a.enabled`
