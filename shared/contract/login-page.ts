import { z } from 'zod'
import { parseWebAddress } from '../rules/redirect-target.ts'
import { Language, post, SHIPPED_LANGUAGES } from './endpoint.ts'

const Texts = z.record(Language, z.string().trim().min(1).max(40))

const Address = z
  .string()
  .trim()
  .max(500)
  .refine((value) => parseWebAddress(value) !== null, 'an http or https address')

export const LoginPageLink = z.strictObject({
  texts: Texts.refine((texts) => Object.keys(texts).length > 0, { params: { reason: 'no-text' } }),
  url: Address,
})

/** The position of the form; the picture is next to it, or behind a centred one. */
export const LOGIN_LAYOUTS = ['left', 'centre', 'right'] as const
/** The method that can come first. */
export const DEFAULT_METHODS = ['user', 'captcha'] as const
export const MAX_LOGIN_LINKS = 6

/**
 * The parts of the login page, in default order: logo and name, the banner, the choice of method, the form, QR codes,
 * other methods and activation, links, contact with filing numbers.
 */
export const LOGIN_BLOCKS = ['brand', 'notice', 'methods', 'qr', 'form', 'otherMethods', 'links', 'foot'] as const
export type LoginBlock = (typeof LOGIN_BLOCKS)[number]

const Blocks = z
  .array(z.enum(LOGIN_BLOCKS))
  .max(LOGIN_BLOCKS.length)
  .refine((blocks) => new Set(blocks).size === blocks.length, 'each once')

const Fields = {
  layout: z.enum(LOGIN_LAYOUTS),
  /** The sentence over the picture. */
  slogan: z.boolean(),
  /** People who have logged in here before start with their last method. */
  defaultMethod: z.enum(DEFAULT_METHODS),
  /** The shipped languages available on these pages, in order; added ones follow. */
  languages: z
    .array(z.enum(SHIPPED_LANGUAGES))
    .min(1)
    .max(SHIPPED_LANGUAGES.length)
    .refine((codes) => new Set(codes).size === codes.length, 'each language once'),
  /** All of them. The logo is over the picture and the last two in the footer, whatever their position. */
  blocks: Blocks.refine((blocks) => blocks.length === LOGIN_BLOCKS.length, 'each of them'),
  /** The form only if there are other methods; it is shown anyway where none is set up. */
  hidden: Blocks.refine(
    (blocks) => !blocks.includes('form') || !blocks.includes('otherMethods'),
    'not both the form and the other methods',
  ),
  /** Shows QR codes at the position of `qr` instead of among the other methods. */
  qrFirst: z.boolean(),
  links: z.array(LoginPageLink).max(MAX_LOGIN_LINKS),
  /** As issued by the ministry: `京ICP备12345678号-1`. Links to the ministry's register. */
  icp: z.string().trim().max(60),
  /** As issued by the public security bureau: `京公网安备11010802020000号`. Its digits are the query of the register. */
  publicSecurity: z.string().trim().max(60),
}

/**
 * The layout of the login page and similar pages: settings document `loginPage`, and `settings.loginPage` of the
 * bootstrap file.
 */
export const LoginPageSettings = z.strictObject({
  layout: Fields.layout.default('right'),
  slogan: Fields.slogan.default(true),
  defaultMethod: Fields.defaultMethod.default('user'),
  languages: Fields.languages.default([...SHIPPED_LANGUAGES]),
  blocks: Fields.blocks.default([...LOGIN_BLOCKS]),
  hidden: Fields.hidden.default([]),
  qrFirst: Fields.qrFirst.default(false),
  links: Fields.links.default([]),
  icp: Fields.icp.default(''),
  publicSecurity: Fields.publicSecurity.default(''),
})
export type LoginPageSettings = z.infer<typeof LoginPageSettings>

const Stored = z.object({
  version: z.number().int(),
  values: LoginPageSettings,
  /** Keys set by the bootstrap file. */
  setByFile: z.array(z.string()),
})
export type StoredLoginPage = z.infer<typeof Stored>

export const loginPageConfig = post('/login_config/login_page_config/', 'superUser', z.strictObject({}), Stored, {
  summary: 'The stored layout of the login page',
})

export const updateLoginPageConfig = post(
  '/login_config/update_login_page_config/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    /** Absent keys are unchanged. */ changes: z.strictObject(Fields).partial(),
  }),
  Stored,
  { summary: 'Change the layout of the login page', errors: ['version.conflict', 'settings.set-by-file'] },
)

/** The part that a light page shows, in its language. */
export type LoginPageSetup = Pick<LoginPageSettings, 'layout' | 'slogan' | 'languages' | 'qrFirst'> & {
  /** The visible ones, in order. */
  blocks: LoginBlock[]
  links: { text: string; url: string }[]
  filings: { text: string; url: string }[]
}
