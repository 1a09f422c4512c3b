import { z } from 'zod'
import { TEMPLATE_KEYS } from '../rules/application-templates/keys.ts'
import { ExactAddress, PageAddress, RedirectAddress, ServiceAddress } from './addresses.ts'
import { ReleasedAttribute } from './attributes.ts'
import { Id, Language } from './endpoint.ts'

/** What can identify a person towards an application: never something that people choose freely. */
export const USER_ATTRIBUTES = ['account', 'userId', 'alias', 'phone', 'mailbox', 'name'] as const

export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  // Insecure ones, for applications that support nothing better; their use is warned about.
  'implicit',
  'password',
] as const

/** Each has the message `scope.<name>`. */
export const SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'account',
  'organization',
  'category',
  'personnel_type',
  'roles',
] as const

export const Protocol = z.enum(['cas', 'oauth2'])
export type Protocol = z.infer<typeof Protocol>
export const ApplicationType = z.enum(['system', 'whitelist'])
const SingleLogout = z.enum(['none', 'front-channel', 'back-channel'])

/** CAS compatibility switches of one application. */
export const CasOptions = z.strictObject({
  /** Attributes also in CAS 2.0 answers (/serviceValidate, /proxyValidate). */
  attributesInCas2: z.boolean().default(false),
  /** /validate returns the user name in a second line, which common CAS 1.0 clients read. */
  validateUserLine: z.boolean().default(true),
  /** The key of a refusal of /proxy in JSON: the specification's example and its XML differ. */
  proxyFailureJson: z.enum(['proxyFailure', 'authenticationFailure']).default('proxyFailure'),
  /** A failed proxy callback omits the proxy-granting ticket instead of failing the validation. */
  succeedWithoutPgt: z.boolean().default(false),
})
export type CasOptions = z.output<typeof CasOptions>

const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}*$/u)

/** No white space, invisible characters, or characters that need escaping in an address. */
const code = (maxLength: number) => text(maxLength).regex(/^[^\s\p{C}/\\?#]+$/u)

export const ApplicationCode = code(64).refine((value) => value !== 'portal')
export const CategoryCode = code(64)
export const ApplicationName = text(100)
export const Names = z.record(Language, ApplicationName)
const Description = z.string().trim().max(500)
const addresses = <T extends z.ZodType<string>>(address: T) => z.array(address).max(100)

const common = {
  /** The gallery template that it was created from; its instructions are shown with the addresses. */
  template: z.enum(TEMPLATE_KEYS).nullable(),
  name: ApplicationName,
  names: Names,
  description: Description,
  descriptions: z.record(Language, Description),
  categoryId: Id.nullable(),
  type: ApplicationType,
  url: PageAddress.nullable(),
  position: z.int().min(0).max(1_000_000),
  /** The source of `cas:user` or `sub`. */
  userAttribute: z.enum(USER_ATTRIBUTES),
  attributes: z.array(ReleasedAttribute).max(100),
}

const cas = {
  serviceUrls: addresses(ServiceAddress),
  singleLogout: SingleLogout,
  logoutUrl: ExactAddress.nullable(),
  proxy: z.boolean(),
  proxyCallbackUrls: addresses(ServiceAddress),
  casOptions: CasOptions,
}

const oauth2 = {
  clientId: code(100).nullable(),
  redirectUris: addresses(RedirectAddress),
  postLogoutRedirectUris: addresses(ExactAddress),
  backchannelLogoutUri: ExactAddress.nullable(),
  grantTypes: z.array(z.enum(GRANT_TYPES)).max(GRANT_TYPES.length),
  scopes: z.array(code(100)).max(100),
  consent: z.enum(['implicit', 'explicit']),
  subjectType: z.enum(['public', 'pairwise']),
  idTokenAlg: z.enum(['RS256', 'ES256']),
  /** Also puts the claims of granted scopes into the ID token, for clients that never call userinfo. */
  idTokenClaims: z.boolean(),
  /** May introspect the access tokens of every application (RFC 7662), not only its own. */
  resourceServer: z.boolean(),
  profileStyle: z.enum(['nested', 'flat']),
  tokenStyle: z.enum(['json', 'text']),
}

/** All editable fields of an application, except icon and secret. */
export const ApplicationFields = z.strictObject({ ...common, ...cas, ...oauth2 })
export type ApplicationFields = z.output<typeof ApplicationFields>

/** The defaults of a new application. */
export const NEW_APPLICATION = {
  template: null,
  names: {},
  description: '',
  descriptions: {},
  categoryId: null,
  type: 'system',
  url: null,
  position: 0,
  userAttribute: 'account',
  attributes: [],
  serviceUrls: [],
  singleLogout: 'back-channel',
  logoutUrl: null,
  proxy: false,
  proxyCallbackUrls: [],
  casOptions: CasOptions.parse({}),
  clientId: null,
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['openid'],
  consent: 'implicit',
  subjectType: 'public',
  idTokenAlg: 'RS256',
  idTokenClaims: true,
  resourceServer: false,
  profileStyle: 'nested',
  tokenStyle: 'json',
} as const satisfies Omit<ApplicationFields, 'name'>
