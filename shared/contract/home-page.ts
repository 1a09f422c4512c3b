import { z } from 'zod'
import { Language, post } from './endpoint.ts'
import { LoginPageLink, MAX_LOGIN_LINKS } from './login-page.ts'

export const MAX_WELCOME_LENGTH = 120

/** What stands below the greeting, in the shipped order: advice about the account, what was opened last, all applications, links. */
export const HOME_BLOCKS = ['advice', 'recent', 'categories', 'links'] as const
export type HomeBlock = (typeof HOME_BLOCKS)[number]

const isEachOnce = (blocks: readonly string[]) => new Set(blocks).size === blocks.length

const Fields = {
  /** Below the greeting; a language without one takes another's. Anybody may read it, also who is not logged in. */
  welcome: z.record(Language, z.string().trim().min(1).max(MAX_WELCOME_LENGTH)),
  searchField: z.boolean(),
  /** All of them. */
  blocks: z
    .array(z.enum(HOME_BLOCKS))
    .length(HOME_BLOCKS.length, 'each of them')
    .refine((blocks) => isEachOnce(blocks), 'each once'),
  /** The applications themselves stay. */
  hidden: z
    .array(z.enum(HOME_BLOCKS).exclude(['categories']))
    .max(HOME_BLOCKS.length)
    .refine((blocks) => isEachOnce(blocks), 'each once'),
  links: z.array(LoginPageLink).max(MAX_LOGIN_LINKS),
}

/** What "My applications" consists of: settings document `homePage`, and `settings.homePage` of the bootstrap file. */
export const HomePageSettings = z.strictObject({
  welcome: Fields.welcome.default({}),
  searchField: Fields.searchField.default(true),
  blocks: Fields.blocks.default([...HOME_BLOCKS]),
  hidden: Fields.hidden.default([]),
  links: Fields.links.default([]),
})
export type HomePageSettings = z.infer<typeof HomePageSettings>

export const StoredHomePage = z.object({
  version: z.number().int(),
  values: HomePageSettings,
  /** What the bootstrap file sets. */
  setByFile: z.array(z.string()),
})
export type StoredHomePage = z.infer<typeof StoredHomePage>

/** What the page shows of it, in its language. */
export const HomePage = z.object({
  welcome: z.string().nullable(),
  searchField: z.boolean(),
  /** Those that are shown. */
  blocks: z.array(z.enum(HOME_BLOCKS)),
  links: z.array(z.object({ text: z.string(), url: z.string() })),
})
export type HomePage = z.infer<typeof HomePage>

export const updateManagePageConfig = post(
  '/login_config/update_manage_page_config/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    /** What is absent stays. */
    changes: z.strictObject(Fields).partial(),
  }),
  StoredHomePage,
  { summary: 'Arrange the home page', errors: ['version.conflict', 'settings.set-by-file'] },
)
