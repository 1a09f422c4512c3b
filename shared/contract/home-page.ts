import { z } from 'zod'
import { Done, get, Id, Language, Moment, post } from './endpoint.ts'
import { LoginPageLink, MAX_LOGIN_LINKS } from './login-page.ts'
import { UploadedPicture } from './uploaded-picture.ts'

export const MAX_WELCOME_LENGTH = 120

/**
 * What stands below the greeting, in the shipped order: advice about the account, announcements, pictures that take turns, the way
 * into the mailbox, what the person pinned, what was opened last, all applications, links.
 */
export const HOME_BLOCKS = [
  'advice',
  'announcements',
  'carousel',
  'mailbox',
  'favourites',
  'recent',
  'categories',
  'links',
] as const
export type HomeBlock = (typeof HOME_BLOCKS)[number]

/** Pictures that a carousel shows at most. */
export const MAX_SLIDES = 8
export const MAX_ALTERNATIVE_TEXT = 120
/** Applications that a person pins at most. */
export const MAX_FAVOURITES = 24
/** Announcements that the home page shows at most, the newest ones. */
export const MAX_SHOWN_ANNOUNCEMENTS = 10

const isEachOnce = (blocks: readonly string[]) => new Set(blocks).size === blocks.length

/** Codes of user categories; empty: everybody. */
const Categories = z.array(z.string().min(1).max(100)).max(100)

const Slide = z
  .strictObject({
    picture: UploadedPicture,
    /** What the picture says, for whoever does not see it; a language without one takes another's. */
    alternatives: z
      .record(Language, z.string().trim().min(1).max(MAX_ALTERNATIVE_TEXT))
      .refine((texts) => Object.keys(texts).length > 0, { params: { reason: 'no-text' } }),
    url: LoginPageLink.shape.url.nullable(),
    from: Moment.nullable(),
    until: Moment.nullable(),
    categories: Categories,
  })
  .refine(({ from, until }) => !from || !until || new Date(from) < new Date(until), {
    path: ['until'],
    params: { reason: 'period' },
  })
export type Slide = z.infer<typeof Slide>

const Fields = {
  /** Below the greeting; a language without one takes another's. Anybody may read it, also who is not logged in. */
  welcome: z.record(Language, z.string().trim().min(1).max(MAX_WELCOME_LENGTH)),
  searchField: z.boolean(),
  /** One that is not named follows those that are, in the shipped order. */
  blocks: z
    .array(z.enum(HOME_BLOCKS))
    .max(HOME_BLOCKS.length)
    .refine((blocks) => isEachOnce(blocks), 'each once'),
  /** The applications themselves stay. */
  hidden: z
    .array(z.enum(HOME_BLOCKS).exclude(['categories']))
    .max(HOME_BLOCKS.length)
    .refine((blocks) => isEachOnce(blocks), 'each once'),
  /** Who sees a part; one that is not named here is for everybody. */
  audiences: z.partialRecord(z.enum(HOME_BLOCKS).exclude(['categories']), Categories),
  carousel: z.array(Slide).max(MAX_SLIDES),
  links: z.array(LoginPageLink).max(MAX_LOGIN_LINKS),
}

/** What "My applications" consists of: settings document `homePage`, and `settings.homePage` of the bootstrap file. */
export const HomePageSettings = z.strictObject({
  welcome: Fields.welcome.default({}),
  searchField: Fields.searchField.default(true),
  blocks: Fields.blocks.default([...HOME_BLOCKS]),
  hidden: Fields.hidden.default([]),
  audiences: Fields.audiences.default({}),
  carousel: Fields.carousel.default([]),
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
  {
    summary: 'Arrange the home page',
    errors: ['version.conflict', 'settings.set-by-file', 'theme.unknown-picture'],
    mostBodyBytes: 128 * 1024,
  },
)

/** An announcement as who reads it sees it, in their language. */
const ShownAnnouncement = z.object({
  id: Id,
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
  /** Since when it is shown. */
  at: z.iso.datetime(),
  isRead: z.boolean(),
})
export type ShownAnnouncement = z.infer<typeof ShownAnnouncement>

const ShownSlide = z.object({ picture: z.string(), alternative: z.string(), url: z.string().nullable() })
export type ShownSlide = z.infer<typeof ShownSlide>

const Favourites = z.object({
  /** `appId`s in the order of the person, also of what they may not open at the moment. */
  favourites: z.array(z.string()),
})

const OwnHomePage = Favourites.extend({
  /** Parts that are not for this person. */
  hidden: z.array(z.enum(HOME_BLOCKS)),
  announcements: z.array(ShownAnnouncement),
  slides: z.array(ShownSlide),
  /** The address of the mailbox that they have at the institution; null: none. */
  mailbox: z.string().nullable(),
})
export type OwnHomePage = z.infer<typeof OwnHomePage>

export const queryOwnHomePage = get(
  '/home_page/mine/',
  'user',
  z.strictObject({
    /** Of a draft that a preview of this browser shows: everything of it, whoever it is for. */
    preview: z.string().max(64).optional(),
  }),
  OwnHomePage,
  { summary: 'What of the home page is a person’s own: favourites, announcements, pictures' },
)

const AppId = z.string().min(1).max(100)

export const placeFavourite = post(
  '/home_page/favourite/place/',
  'user',
  z.strictObject({
    appId: AppId,
    /** The favourite before which it is to stand; null: behind all. */
    before: AppId.nullable().default(null),
  }),
  Favourites,
  {
    summary: 'Pin an application to my home page, or move it among those that I pinned',
    errors: ['application.not-available', 'favourite.too-many'],
  },
)

export const removeFavourite = post(
  '/home_page/favourite/remove/',
  'user',
  z.strictObject({ appId: AppId }),
  Favourites,
  { summary: 'Take an application from those that I pinned' },
)

export const markAnnouncementsRead = post(
  '/home_page/announcement/read/',
  'user',
  z.strictObject({ ids: z.array(Id).min(1).max(MAX_SHOWN_ANNOUNCEMENTS) }),
  Done,
  { summary: 'Note that I have read announcements' },
)
