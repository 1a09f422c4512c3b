import { z } from 'zod'
import { parseWebAddress } from '../rules/redirect-target.ts'
import { get, Language } from './endpoint.ts'
import { HomePage, StoredHomePage } from './home-page.ts'
import type { listLanguages } from './languages.ts'

/** A path of our own site as browsers parse it, never another origin. */
const isOwnPath = (value: string) => /^\/(?![/\\])[^\u0000-\u0020\\]*$/.test(value)

const Picture = z.string().max(300).refine(isOwnPath, 'a path of this site such as /auth_service/auth_files/…')
const Link = z
  .string()
  .max(500)
  .refine(
    (value) => isOwnPath(value) || parseWebAddress(value) !== null,
    'an http or https address, or a path of this site',
  )
const localized = (maxLength: number) => z.record(Language, z.string().trim().min(1).max(maxLength))

/** The institution's name and appearance: settings document `gateway`, and `settings.gateway` of the bootstrap file. */
export const Gateway = z.strictObject({
  /** The institution's name; a missing language falls back to another. Empty: the product's name. */
  names: localized(60).default({}),
  /** The favicon; null: the default logo. */
  pageLabelLogo: Picture.nullable().default(null),
  /** Next to the name; null: the default logo. */
  logo: Picture.nullable().default(null),
  /** The contact in one line: office and phone number. */
  contacts: localized(120).default({}),
  privacyUrl: Link.nullable().default(null),
  helpUrl: Link.nullable().default(null),
})
export type Gateway = z.infer<typeof Gateway>

const Nothing = z.strictObject({})
const NullableText = z.string().nullable()

/** The institution in the caller's language. */
export const SchoolGateway = z.object({
  schoolName: z.string(),
  pageLabelLogo: z.string(),
  logo: NullableText,
  contact: NullableText,
  privacyUrl: NullableText,
  helpUrl: NullableText,
  /** The current banner of the login page and the home page. */
  banner: z.object({ text: z.string(), tone: z.enum(['info', 'caution']) }).nullable(),
})
export type SchoolGateway = z.infer<typeof SchoolGateway>

const PortalGateway = SchoolGateway.extend({ home: HomePage })
/** The institution, and its layout of the home page. */
export type PortalGateway = z.infer<typeof PortalGateway>

export const querySchoolGateway = get('/school_gateway/query/', 'public', Nothing, PortalGateway, {
  summary: 'The institution: name, favicon, logo, contact, and its home page layout',
})

export const queryLoginPageConfig = get(
  '/login_config/query_login_page_config/',
  'public',
  Nothing,
  z.object({
    /** `user`, `captcha`, then third-party logins, in button order. */
    loginTypes: z.array(z.string()),
    rememberMeLongSecond: z.number().int(),
    warnOffered: z.boolean(),
    activation: z.boolean(),
    forgotPassword: z.boolean(),
    themeId: z.string(),
  }),
  { summary: 'What the login page offers' },
)

export const loginPropertyPageConfig = get(
  '/login_config/login_property_page_config/',
  'public',
  Nothing,
  z.object({
    switchOfExpirationLogout: z.enum(['0', '1']),
    expirationMinutes: z.number().int(),
    rememberMeLongSecond: z.number().int(),
    passwordMinLength: z.number().int(),
    passwordMaxLength: z.number().int(),
    passwordLevel: z.number().int(),
  }),
  { summary: 'The settings that a browser needs' },
)

/** Public data that every page of the portal needs, inlined into its HTML. */
export type PortalSurroundings = {
  gateway: PortalGateway
  settings: z.infer<typeof loginPropertyPageConfig.output>
  languages: z.infer<typeof listLanguages.output>
}

const ManagedPage = Gateway.extend({ homePage: StoredHomePage })
export type ManagedPage = z.infer<typeof ManagedPage>

export const managePageConfig = get('/login_config/manage_page_config/', 'superUser', Nothing, ManagedPage, {
  summary: 'The stored settings of the institution and its home page, in all languages',
})

const Colours = z.record(z.string(), z.string())

export const listThemes = get(
  '/login_config/list_themes/',
  'public',
  Nothing,
  z.array(z.object({ id: z.string(), name: z.string(), light: Colours, dark: Colours })),
  { summary: 'The shipped and published themes, with their colours' },
)
