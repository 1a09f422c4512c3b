import type { SCOPES as ALL_SCOPES } from '#shared/contract/application-fields.ts'
import type { ProductSource } from '#shared/contract/attributes.ts'
import { isCustomName } from '#shared/contract/field-rules.ts'
import {
  type Application,
  type PersonAttributes,
  releasedAttributes,
  userNameFor,
} from '../../features/applications/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { allowedScopes } from './clients.service.ts'

/** The claims of each scope, with the attribute that each is taken from. */
const SCOPE_CLAIMS = {
  profile: {
    name: 'name',
    nickname: 'nickname',
    preferred_username: 'account',
    gender: 'gender',
    birthdate: 'birthday',
  },
  email: { email: 'mailbox', email_verified: 'mailbox' },
  phone: { phone_number: 'phone', phone_number_verified: 'phone' },
  account: { account: 'account' },
  organization: { organization: 'organization', organization_code: 'organizationCode' },
  category: { category: 'category', category_code: 'categoryCode' },
  personnel_type: { personnel_type: 'personnelType', personnel_type_code: 'personnelTypeCode' },
  roles: { roles: 'roles' },
} as const satisfies Record<Exclude<(typeof ALL_SCOPES)[number], 'openid'>, Record<string, ProductSource>>

export const SCOPES = ['openid', 'offline_access', ...Object.keys(SCOPE_CLAIMS)]

/** For the provider's configuration: which claims a scope opens. */
export const claimsByScope = (): Record<string, string[] | null> => ({
  openid: ['sub'],
  ...Object.fromEntries(Object.entries(SCOPE_CLAIMS).map(([scope, claims]) => [scope, Object.keys(claims)])),
  acr: null,
  amr: null,
  auth_time: null,
  iss: null,
  sid: null,
})

/** The scope that covers a claim requested by name; null for a claim that needs none. */
export const scopeOfClaim = (claim: string): string | null =>
  Object.entries(SCOPE_CLAIMS).find(([, claims]) => claim in claims)?.[0] ?? null

/** An application's custom attributes, separate from the standard claims: the provider would drop unknown names. */
export const CUSTOM_CLAIMS = Symbol('own attributes')
/** Who the token is about, as this application knows them. */
export const SUBJECT = Symbol('subject')

/**
 * What an application gets for a person, in CAS answers and claims alike: its list of attributes is the allow list, with other names and
 * fixed values. Without a list, what its scopes release; with one, a standard claim only if its source is listed.
 */
export function claimsFor(application: Application, person: PersonAttributes): Record<string, unknown> {
  const listed = application.attributes.flatMap((attribute) => ('from' in attribute ? [attribute.from] : []))
  const isListed = (source: ProductSource) => application.attributes.length === 0 || listed.includes(source)
  const scopes = allowedScopes(application)
  const claims: Record<string, unknown> = {}
  for (const [scope, sources] of Object.entries(SCOPE_CLAIMS)) {
    if (!scopes.has(scope)) continue
    for (const [claim, source] of Object.entries(sources) as [string, ProductSource][]) {
      const value = isListed(source) ? toClaimValue(claim, person[source]) : undefined
      if (value !== undefined) claims[claim] = value
    }
  }
  return claims
}

function toClaimValue(claim: string, value: string | string[] | null): unknown {
  if (value === null || value.length === 0) return undefined
  // A mailbox or phone gets onto an account only from the institution's data or by a code sent to it.
  if (claim.endsWith('_verified')) return true
  if (claim === 'gender') return value === 'unknown' ? undefined : value
  return value
}

const RESERVED = new Set(
  'sub iss aud exp iat nbf jti sid nonce acr amr auth_time azp at_hash c_hash s_hash cnf act events'.split(' '),
)

/** The application's listed attributes as additional claims: one value as a string, several as a list. */
export function customClaimsFor(application: Application, person: PersonAttributes): Record<string, string | string[]> {
  const released = releasedAttributes(application.attributes, person)
  const entries = [...released].filter(([name]) => !RESERVED.has(name))
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))
}

/** What an application with its own list learns besides its scopes, whichever of them it requests. */
export const listedSources = ({ attributes }: Application): string[] => [
  ...new Set(
    attributes.flatMap((one) =>
      'from' in one ? [`attribute.${isCustomName(one.from) ? one.from : one.from.replace(/Code$/, '')}`] : [],
    ),
  ),
]

/**
 * The subject by which an application knows a person: public, from the attribute it was registered with; pairwise, a value that no two
 * applications share. Null if the person has no value for it.
 */
export function subjectFor(platform: Platform, application: Application, person: PersonAttributes): string | null {
  if (application.client?.subjectType === 'pairwise') {
    const mac = platform.secrets.mac(`oidc subject\n${application.id}\n${person.userId}`)
    return mac.toString('base64url')
  }
  return userNameFor(application.userAttribute, person)
}

/** The identifier of a session for one application. */
export const sidFor = (platform: Platform, ssoSessionId: string, application: Pick<Application, 'id'>): string =>
  platform.secrets.mac(`oidc sid\n${application.id}\n${ssoSessionId}`).subarray(0, 24).toString('base64url')
