import { z } from 'zod'
import { ExactAddress, PageAddress, PictureAddress, ServiceAddress } from '#shared/contract/addresses.ts'
import { CasOptions, GRANT_TYPES, USER_ATTRIBUTES } from '#shared/contract/application-fields.ts'
import { AttributeSource, ReleasedAttribute } from '#shared/contract/attributes.ts'
import { PersonCreation, UNBOUND } from '#shared/contract/created-people.ts'
import { Language } from '#shared/contract/endpoint.ts'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import { ProviderKey } from '#shared/contract/third-party-accounts.ts'
import { canonicalIdNumber } from '#shared/rules/id-number.ts'
import { MAX_MAILBOX_LENGTH } from '#shared/rules/mailbox.ts'
import { toE164 } from '#shared/rules/phone.ts'
import { isClientSecret } from '../client-secrets/index.ts'
import { isImportableHash } from '../passwords/index.ts'

function notText(input: unknown): string | undefined {
  if (input === undefined) return 'is missing'
  return typeof input === 'number' ? 'expected a text: put it in quotes' : undefined
}

const text = (longest: number) =>
  z
    .string({ error: ({ input }) => notText(input) })
    .min(1, 'expected a text that is not empty')
    .max(longest)
    .refine((value) => value === value.trim(), 'expected no space around the text')
    .refine((value) => !/\p{Cc}/u.test(value), 'expected no control character')

/** Codes and accounts: no white space, no invisible characters, nothing that would have to be escaped in a URL. */
const code = (longest = 64) =>
  text(longest).refine((value) => !/[\s\p{C}/\\?#]/u.test(value), 'expected no space and none of / \\ ? #')

const Name = text(100)
const Names = z.record(Language, Name)
const Position = z.int().min(0).max(1_000_000)
const Codes = z.array(code()).max(10_000)
const Addresses = <T extends z.ZodType<string>>(address: T) => z.array(address).max(100)

const Organization = z.strictObject({
  code: code(),
  name: Name,
  names: Names.optional(),
  parent: code().nullish(),
  attribute: code().nullish(),
  position: Position.optional(),
  enabled: z.boolean().optional(),
})

const Named = z.strictObject({ code: code(), name: Name, names: Names.optional() })
const Ordered = Named.extend({ position: Position.optional() })

/** Whether it is a dialable number is checked when it changes: `reportInvalidContacts`. */
const Phone = text(40).transform((value, context) => {
  const number = toE164(value)
  if (number) return number
  context.addIssue({ code: 'custom', message: 'expected a phone number' })
  return z.NEVER
})

const IdNumber = text(40)
  .transform(canonicalIdNumber)
  .refine((value) => value !== '', 'expected the number of an identity document')

const User = z.strictObject({
  account: code(),
  name: Name,
  nickname: Name.nullish(),
  gender: z.enum(['male', 'female', 'unknown']).optional(),
  birthday: z.iso.date().nullish(),
  idNumber: IdNumber.nullish(),
  category: code().nullish(),
  personnelType: code().nullish(),
  organization: code().nullish(),
  roles: Codes.optional(),
  phone: Phone.nullish(),
  mailbox: text(MAX_MAILBOX_LENGTH).nullish(),
  alias: code().nullish(),
  isSuperUser: z.boolean().optional(),
  enabled: z.boolean().optional(),
  password: z.string().min(1).max(256).optional(),
  passwordHash: z
    .string()
    .refine(isImportableHash, 'expected $argon2id$…, $2a$… or $2b$…, {SSHA}base64, {MD5}hex or {SM3}hex')
    .optional(),
  securityQuestions: z
    .array(z.strictObject({ question: text(100), answer: z.string().trim().min(1).max(200) }))
    .max(10)
    .optional(),
  activated: z.boolean().optional(),
  mustChangePassword: z.boolean().optional(),
})

const Attribute = z.union(
  [
    AttributeSource.transform((source) => ({
      name: isCustomName(source) ? keyOfCustom(source) : source,
      from: source,
    })),
    ReleasedAttribute,
  ],
  'expected one of the known attributes, or { name, from } or { name, value } with a name that is a plain XML name and not one of the protocol',
)

/** The names of our own login methods in records; no provider may use them. */
const OWN_LOGIN_TYPES: readonly string[] = ['user', 'captcha', 'passkey']

const Application = z.strictObject({
  appId: code().refine((value) => value !== 'portal', 'expected another name: "portal" is the portal itself'),
  name: Name,
  names: Names.optional(),
  description: z.string().max(500).optional(),
  descriptions: z.record(Language, z.string().max(500)).optional(),
  category: code().nullish(),
  protocol: z.enum(['cas', 'oauth2']),
  type: z.enum(['system', 'whitelist']).optional(),
  url: PageAddress.nullish(),
  picture: PictureAddress.nullish(),
  position: Position.optional(),
  enabled: z.boolean().optional(),
  userAttribute: z.enum(USER_ATTRIBUTES).optional(),
  attributes: z.array(Attribute).max(100).optional(),
  serviceUrls: Addresses(ServiceAddress).optional(),
  singleLogout: z.enum(['none', 'front-channel', 'back-channel']).optional(),
  logoutUrl: ExactAddress.nullish(),
  proxy: z.boolean().optional(),
  proxyCallbackUrls: Addresses(ServiceAddress).optional(),
  casOptions: CasOptions.optional(),
  clientId: code(100).nullish(),
  clientSecret: z
    .string()
    .min(1)
    .max(256)
    .refine(isClientSecret, 'expected printable ASCII characters: clients can send no others (RFC 6749, A.2)')
    .nullish(),
  redirectUris: Addresses(ExactAddress).optional(),
  postLogoutRedirectUris: Addresses(ExactAddress).optional(),
  backchannelLogoutUri: ExactAddress.nullish(),
  grantTypes: z.array(z.enum(GRANT_TYPES)).optional(),
  scopes: z.array(code(100)).max(100).optional(),
  consent: z.enum(['implicit', 'explicit']).optional(),
  idTokenAlg: z.enum(['RS256', 'ES256']).optional(),
  idTokenClaims: z.boolean().optional(),
  resourceServer: z.boolean().optional(),
  subjectType: z.enum(['public', 'pairwise']).optional(),
  authorized: z
    .strictObject({
      roles: Codes.optional(),
      organizations: Codes.optional(),
      categories: Codes.optional(),
      users: Codes.optional(),
    })
    .optional(),
})

const ThirdPartyProvider = z.strictObject({
  key: ProviderKey.refine(
    (value) => !OWN_LOGIN_TYPES.includes(value),
    'expected another name: this one is a login type',
  ),
  connector: code(32),
  name: Name,
  names: Names.optional(),
  enabled: z.boolean().optional(),
  position: Position.optional(),
  settings: z.record(z.string(), z.unknown()),
  unbound: z.enum(UNBOUND).optional(),
  creates: z
    .strictObject({
      organization: code().nullish(),
      category: code().nullish(),
      ...PersonCreation.pick({ state: true, validDays: true }).shape,
    })
    .optional(),
  matchBy: z.array(z.enum(['account', 'phone', 'mailbox'])).optional(),
})

const list = <T extends z.ZodType>(entry: T, most: number) =>
  z
    .array(entry)
    .max(most)
    .nullish()
    .transform((entries) => entries ?? [])

/** The bootstrap file. Absent keys stay unchanged; null clears a value. */
export const BootstrapDocument = z.strictObject({
  organizationAttributes: list(Ordered, 1000),
  organizations: list(Organization, 100_000),
  userCategories: list(Ordered, 1000),
  personnelTypes: list(Ordered, 1000),
  roles: list(Named, 10_000),
  users: list(User, 200_000),
  applicationCategories: list(Ordered, 1000),
  applications: list(Application, 5000),
  thirdPartyProviders: list(ThirdPartyProvider, 100),
  settings: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((settings) => settings ?? {}),
})
export type BootstrapDocument = z.output<typeof BootstrapDocument>
/** The document before parsing. */
export type BootstrapInput = z.input<typeof BootstrapDocument>

export type OrganizationEntry = z.output<typeof Organization>
export type NamedEntry = z.output<typeof Ordered>
export type UserEntry = z.output<typeof User>
export type ApplicationEntry = z.output<typeof Application>
export type ThirdPartyProviderEntry = z.output<typeof ThirdPartyProvider>

/** The lists of a document and the natural key of each. */
export const LISTS = [
  ['organizationAttributes', 'code'],
  ['organizations', 'code'],
  ['userCategories', 'code'],
  ['personnelTypes', 'code'],
  ['roles', 'code'],
  ['users', 'account'],
  ['applicationCategories', 'code'],
  ['applications', 'appId'],
  ['thirdPartyProviders', 'key'],
] as const
