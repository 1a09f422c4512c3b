import { ApplicationCode, GRANT_TYPES, SCOPES, USER_ATTRIBUTES } from '#shared/contract/application-fields.ts'
import type { ImportedService } from '#shared/contract/service-import.ts'
import { addressProblem } from '#shared/rules/application-address.ts'
import type { ApplicationRow } from '../applications/index.ts'
import { listOf, readReleasePolicy, sourceOf } from './service-attributes.rules.ts'
import type { ServiceDefinition } from './service-file.rules.ts'
import { type PatternReading, readPattern } from './service-pattern.rules.ts'

type Notes = ImportedService['notes']
type Fields = Partial<ApplicationRow> & Pick<ApplicationRow, 'name' | 'protocol' | 'appId'>

export type ReadDefinition = {
  fields: Fields | null
  /** As in the file; hashed before it is stored. */
  secret: string | null
  /** There is a secret, but only the other system can decrypt it. */
  isSealed: boolean
  reason: string | null
  detail: string | null
  notes: Notes
  ignored: string[]
}

const CLASSES = new Map<string, 'cas' | 'oauth2'>(
  Object.entries({
    CasRegisteredService: 'cas',
    RegexRegisteredService: 'cas',
    OidcRegisteredService: 'oauth2',
    OAuthRegisteredService: 'oauth2',
  } as const),
)

/** Keys that are imported or can be ignored safely. */
const KNOWN_KEYS = new Set([
  '@class',
  'id',
  'name',
  'serviceId',
  'description',
  'informationUrl',
  'logo',
  'logoutType',
  'logoutUrl',
  'attributeReleasePolicy',
  'usernameAttributeProvider',
  'proxyPolicy',
  'accessStrategy',
  'evaluationOrder',
  'clientId',
  'clientSecret',
  'supportedGrantTypes',
  'scopes',
  'bypassApprovalPrompt',
  'generateRefreshToken',
  'idTokenSigningAlg',
  'subjectType',
])

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
/** Enough of a pattern to recognise it. */
const shortened = (pattern: string): string => (pattern.length > 300 ? `${pattern.slice(0, 299)}…` : pattern)
const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const classOf = (value: unknown): string => text(object(value)['@class']).split('.').at(-1) ?? ''

/** Converts a service of Apereo CAS into an application, or says why that is impossible. Never widens access. */
export function readDefinition(definition: ServiceDefinition): ReadDefinition {
  const ignored = Object.keys(definition).filter((key) => !KNOWN_KEYS.has(key))
  const refused = (reason: string, detail: string | null = null): ReadDefinition => ({
    fields: null,
    secret: null,
    isSealed: false,
    reason,
    detail,
    notes: [],
    ignored,
  })
  const kind = classOf(definition)
  const protocol = CLASSES.get(kind)
  const name = text(definition['name']).slice(0, 100)
  const pattern = text(definition['serviceId'])
  if (!protocol) return refused(kind ? 'class' : 'not-a-service', kind || null)
  if (!name) return refused('name-missing')
  const appId = toApplicationCode(definition, name)
  if (!appId) return refused('name-missing')
  if (!pattern) return refused('no-address')
  const reading = readPattern(pattern)
  if (reading.problem) return refused(reading.problem, shortened(pattern))
  const notes: Notes = reading.narrowed.map((detail) => ({ name: 'narrowed', detail }))
  const base = { ...commonFields(definition, notes), name, appId, protocol }
  if (protocol === 'cas') {
    const fields = { ...base, serviceUrls: reading.addresses, ...casFields(definition, notes) }
    return { fields, secret: null, isSealed: false, reason: null, detail: null, notes, ignored }
  }
  const problem = redirectProblem(reading)
  if (problem) return refused(problem, shortened(pattern))
  const { secret, isSealed } = secretOf(definition, notes)
  const fields = { ...base, redirectUris: reading.addresses, ...clientFields(definition, base.appId, notes) }
  return { fields, secret, isSealed, reason: null, detail: null, notes, ignored }
}

/** The number in the file, which stays the same in a second import. */
function toApplicationCode({ id }: ServiceDefinition, name: string): string | null {
  const number = typeof id === 'number' || typeof id === 'string' ? String(id) : ''
  const code = /^\d{1,20}$/.test(number)
    ? `cas-${number}`
    : name
        .toLowerCase()
        .replace(/[\s/\\?#]+/g, '-')
        .slice(0, 64)
  return ApplicationCode.safeParse(code).success ? code : null
}

function redirectProblem({ addresses }: PatternReading): string | null {
  if (addresses.some((address) => address.endsWith('/**'))) return 'redirect-wildcard'
  return addresses.some((address) => addressProblem('redirect', address)) ? 'redirect-insecure' : null
}

function commonFields(definition: ServiceDefinition, notes: Notes) {
  const { attributes, unknown, isEverything } = readReleasePolicy(definition['attributeReleasePolicy'])
  if (isEverything) notes.push({ name: 'return-all', detail: '' })
  for (const detail of unknown) notes.push({ name: 'attribute-unknown', detail })
  if (text(definition['logo'])) notes.push({ name: 'logo', detail: text(definition['logo']) })
  const url = text(definition['informationUrl'])
  const order = Number(definition['evaluationOrder'])
  return {
    description: text(definition['description']).slice(0, 500),
    attributes,
    url: url && addressProblem('page', url) === null ? url : null,
    position: Number.isInteger(order) ? Math.min(Math.max(order, 0), 1_000_000) : 0,
    userAttribute: userAttributeOf(definition, notes),
    ...accessOf(definition, notes),
  }
}

function userAttributeOf(definition: ServiceDefinition, notes: Notes): string {
  const provider = object(definition['usernameAttributeProvider'])
  const wanted = text(provider['usernameAttribute'])
  if (!wanted) {
    const kind = classOf(provider)
    if (kind && !kind.startsWith('Default')) notes.push({ name: 'user-attribute-unknown', detail: kind })
    return 'account'
  }
  const source = sourceOf(wanted)
  if (USER_ATTRIBUTES.some((known) => known === source)) return source ?? 'account'
  notes.push({ name: 'user-attribute-unknown', detail: wanted })
  return 'account'
}

/** A service that requires attributes of the person is imported as one that needs grants: too little access is the safe side. */
function accessOf(definition: ServiceDefinition, notes: Notes) {
  const strategy = object(definition['accessStrategy'])
  const enabled = strategy['enabled'] !== false && strategy['ssoEnabled'] !== false
  const kind = classOf(strategy)
  const known = Object.keys(strategy).every((key) => ['@class', 'enabled', 'ssoEnabled', 'order'].includes(key))
  const isPlain = known && (kind === '' || kind.startsWith('Default'))
  if (!enabled) notes.push({ name: 'disabled', detail: '' })
  if (!isPlain)
    notes.push({
      name: 'access-rules',
      detail: Object.keys(strategy)
        .filter((key) => key !== '@class')
        .join(', '),
    })
  return { enabled, type: isPlain ? ('whitelist' as const) : ('system' as const) }
}

const LOGOUT_TYPES: Record<string, 'none' | 'front-channel' | 'back-channel'> = {
  NONE: 'none',
  FRONT_CHANNEL: 'front-channel',
  BACK_CHANNEL: 'back-channel',
}

function exactAddress(value: unknown, notes: Notes): string | null {
  const address = text(value)
  if (!address) return null
  if (addressProblem('exact', address) === null) return address
  notes.push({ name: 'logout-url', detail: address })
  return null
}

function casFields(definition: ServiceDefinition, notes: Notes) {
  const policy = object(definition['proxyPolicy'])
  const pattern = text(policy['pattern'])
  const reading = pattern ? readPattern(pattern) : null
  if (reading?.problem) notes.push({ name: 'proxy-refused', detail: shortened(pattern) })
  const callbacks = reading && !reading.problem ? reading.addresses : []
  return {
    singleLogout: LOGOUT_TYPES[text(definition['logoutType']).toUpperCase()] ?? ('back-channel' as const),
    logoutUrl: exactAddress(definition['logoutUrl'], notes),
    proxy: callbacks.length > 0,
    proxyCallbackUrls: callbacks,
  }
}

function clientFields(definition: ServiceDefinition, appId: string, notes: Notes) {
  const given = listOf(definition['supportedGrantTypes'])
  const known: string[] = GRANT_TYPES.filter((grant) => given.includes(grant))
  for (const detail of given.filter((grant) => !known.includes(grant))) notes.push({ name: 'grant-unknown', detail })
  for (const detail of known.filter((grant) => grant === 'password' || grant === 'implicit')) {
    notes.push({ name: 'weak-grant', detail })
  }
  const grantTypes = known.length > 0 ? known : ['authorization_code']
  if (definition['generateRefreshToken'] === true && !grantTypes.includes('refresh_token'))
    grantTypes.push('refresh_token')
  const wanted = listOf(definition['scopes'])
  const scopes = SCOPES.filter((scope) => scope === 'openid' || wanted.includes(scope))
  for (const detail of wanted.filter((scope) => !SCOPES.some((one) => one === scope))) {
    notes.push({ name: 'scope-unknown', detail })
  }
  return {
    clientId: text(definition['clientId']) || appId,
    grantTypes,
    scopes: [...scopes],
    consent: definition['bypassApprovalPrompt'] === true ? ('implicit' as const) : ('explicit' as const),
    idTokenAlg: text(definition['idTokenSigningAlg']) === 'ES256' ? ('ES256' as const) : ('RS256' as const),
    subjectType:
      text(definition['subjectType']).toLowerCase() === 'pairwise' ? ('pairwise' as const) : ('public' as const),
    backchannelLogoutUri: exactAddress(definition['logoutUrl'], notes),
  }
}

function secretOf(definition: ServiceDefinition, notes: Notes): { secret: string | null; isSealed: boolean } {
  const secret = text(definition['clientSecret'])
  if (!secret) {
    notes.push({ name: 'public-client', detail: '' })
    return { secret: null, isSealed: false }
  }
  if (!/^\{[^}]+\}|^\$\{/.test(secret) && secret.length <= 256) return { secret, isSealed: false }
  notes.push({ name: 'secret-unreadable', detail: '' })
  return { secret: null, isSealed: true }
}
