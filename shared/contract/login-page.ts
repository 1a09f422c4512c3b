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

/** Where the form stands; the picture is beside it, or behind it in the centre. */
export const LOGIN_LAYOUTS = ['left', 'centre', 'right'] as const
/** What may stand before the others. */
export const FIRST_WAYS = ['user', 'captcha'] as const
export const MAX_LOGIN_LINKS = 6

/**
 * What the login page consists of, in the shipped order: mark and name, the banner, the choice of the way, the form, ways whose code is
 * scanned with a phone, other ways and activation, links, contact with filing numbers.
 */
export const LOGIN_BLOCKS = ['brand', 'notice', 'ways', 'qr', 'form', 'otherWays', 'links', 'foot'] as const
export type LoginBlock = (typeof LOGIN_BLOCKS)[number]

const Blocks = z
  .array(z.enum(LOGIN_BLOCKS))
  .max(LOGIN_BLOCKS.length)
  .refine((blocks) => new Set(blocks).size === blocks.length, 'each once')

const Fields = {
  layout: z.enum(LOGIN_LAYOUTS),
  /** The sentence over the picture. */
  slogan: z.boolean(),
  /** Whoever has logged in here before begins with the way that led in. */
  firstWay: z.enum(FIRST_WAYS),
  /** Of those that ship, which are offered on these pages, in this order; those that were added follow. */
  languages: z
    .array(z.enum(SHIPPED_LANGUAGES))
    .min(1)
    .max(SHIPPED_LANGUAGES.length)
    .refine((codes) => new Set(codes).size === codes.length, 'each language once'),
  /** All of them. The mark stands over the picture and the last two at the foot, whatever their place. */
  blocks: Blocks.refine((blocks) => blocks.length === LOGIN_BLOCKS.length, 'each of them'),
  /** The form only while there are other ways; where none is set up it is shown all the same. */
  hidden: Blocks.refine(
    (blocks) => !blocks.includes('form') || !blocks.includes('otherWays'),
    'not both the form and the other ways',
  ),
  /** Ways whose code is scanned with a phone stand at the place of `qr` instead of among the others. */
  qrFirst: z.boolean(),
  links: z.array(LoginPageLink).max(MAX_LOGIN_LINKS),
  /** As the ministry gave it: `京ICP备12345678号-1`. It links to the ministry's register. */
  icp: z.string().trim().max(60),
  /** As the public security bureau gave it: `京公网安备11010802020000号`. Its digits are what its register is asked for. */
  publicSecurity: z.string().trim().max(60),
}

/** How the login page and the pages like it are laid out: settings document `loginPage`, and `settings.loginPage` of the bootstrap file. */
export const LoginPageSettings = z.strictObject({
  layout: Fields.layout.default('right'),
  slogan: Fields.slogan.default(true),
  firstWay: Fields.firstWay.default('user'),
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
  /** What the bootstrap file sets. */
  setByFile: z.array(z.string()),
})
export type StoredLoginPage = z.infer<typeof Stored>

export const loginPageConfig = post('/login_config/login_page_config/', 'superUser', z.strictObject({}), Stored, {
  summary: 'How the login page is laid out, as it is stored',
})

export const updateLoginPageConfig = post(
  '/login_config/update_login_page_config/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    /** What is absent stays. */ changes: z.strictObject(Fields).partial(),
  }),
  Stored,
  { summary: 'Lay out the login page', errors: ['version.conflict', 'settings.set-by-file'] },
)

/** What a light page shows of it, in its language. */
export type LoginPageSetup = Pick<LoginPageSettings, 'layout' | 'slogan' | 'languages' | 'qrFirst'> & {
  /** Those that are shown, in order. */
  blocks: LoginBlock[]
  links: { text: string; url: string }[]
  filings: { text: string; url: string }[]
}
