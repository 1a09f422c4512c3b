import { z } from 'zod'
import { Done, get, Id, Language, Moment, post } from './endpoint.ts'
import { LoginPageLink, MAX_LOGIN_LINKS } from './login-page.ts'
import { UploadedPicture } from './uploaded-picture.ts'

export const MAX_WELCOME_LENGTH = 120

/**
 * The parts below the greeting, in default order: advice about the account, announcements, carousel, mailbox,
 * favourites, recently opened, all applications, links.
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

/** The most pictures of a carousel. */
export const MAX_SLIDES = 8
export const MAX_ALTERNATIVE_TEXT = 120
/** The most favourites of a person. */
export const MAX_FAVOURITES = 24
/** The most announcements on the home page, newest first. */
export const MAX_SHOWN_ANNOUNCEMENTS = 10

const isEachOnce = (blocks: readonly string[]) => new Set(blocks).size === blocks.length

/** Codes of user categories; empty: everybody. */
const Categories = z.array(z.string().min(1).max(100)).max(100)

const Slide = z
  .strictObject({
    picture: UploadedPicture,
    /** Alternative text; a missing language falls back to another. */
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
  /** Below the greeting; a missing language falls back to another. Public, even without a login. */
  welcome: z.record(Language, z.string().trim().min(1).max(MAX_WELCOME_LENGTH)),
  searchField: z.boolean(),
  /** Missing parts follow in the default order. */
  blocks: z
    .array(z.enum(HOME_BLOCKS))
    .max(HOME_BLOCKS.length)
    .refine((blocks) => isEachOnce(blocks), 'each once'),
  /** The applications can't be hidden. */
  hidden: z
    .array(z.enum(HOME_BLOCKS).exclude(['categories']))
    .max(HOME_BLOCKS.length)
    .refine((blocks) => isEachOnce(blocks), 'each once'),
  /** Who sees a part; missing ones are for everybody. */
  audiences: z.partialRecord(z.enum(HOME_BLOCKS).exclude(['categories']), Categories),
  carousel: z.array(Slide).max(MAX_SLIDES),
  links: z.array(LoginPageLink).max(MAX_LOGIN_LINKS),
}

/** The layout of "My applications": settings document `homePage`, and `settings.homePage` of the bootstrap file. */
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
  /** Keys set by the bootstrap file. */
  setByFile: z.array(z.string()),
})
export type StoredHomePage = z.infer<typeof StoredHomePage>

/** The part that the page shows, in its language. */
export const HomePage = z.object({
  welcome: z.string().nullable(),
  searchField: z.boolean(),
  /** The visible ones. */
  blocks: z.array(z.enum(HOME_BLOCKS)),
  links: z.array(z.object({ text: z.string(), url: z.string() })),
})
export type HomePage = z.infer<typeof HomePage>

export const updateManagePageConfig = post(
  '/login_config/update_manage_page_config/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    /** Absent keys are unchanged. */
    changes: z.strictObject(Fields).partial(),
  }),
  StoredHomePage,
  {
    summary: 'Change the layout of the home page',
    errors: ['version.conflict', 'settings.set-by-file', 'theme.unknown-picture'],
    mostBodyBytes: 128 * 1024,
  },
)

/** An announcement as a reader sees it, in their language. */
const ShownAnnouncement = z.object({
  id: Id,
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
  /** When it was first shown. */
  at: z.iso.datetime(),
  isRead: z.boolean(),
})
export type ShownAnnouncement = z.infer<typeof ShownAnnouncement>

const ShownSlide = z.object({ picture: z.string(), alternative: z.string(), url: z.string().nullable() })
export type ShownSlide = z.infer<typeof ShownSlide>

const Favourites = z.object({
  /** `appId`s in the person's order, including those they may not open at the moment. */
  favourites: z.array(z.string()),
})

const OwnHomePage = Favourites.extend({
  /** Parts hidden from this person. */
  hidden: z.array(z.enum(HOME_BLOCKS)),
  announcements: z.array(ShownAnnouncement),
  slides: z.array(ShownSlide),
  /** The address of the person's mailbox at the institution; null: none. */
  mailbox: z.string().nullable(),
})
export type OwnHomePage = z.infer<typeof OwnHomePage>

export const queryOwnHomePage = get(
  '/home_page/mine/',
  'user',
  z.strictObject({
    /** A draft previewed by this browser, complete for every audience. */
    preview: z.string().max(64).optional(),
  }),
  OwnHomePage,
  { summary: 'The person’s own part of the home page: favourites, announcements, pictures' },
)

const AppId = z.string().min(1).max(100)

export const placeFavourite = post(
  '/home_page/favourite/place/',
  'user',
  z.strictObject({
    appId: AppId,
    /** The favourite to insert it before; null: at the end. */
    before: AppId.nullable().default(null),
  }),
  Favourites,
  {
    summary: 'Pin an application to my home page, or move it among my favourites',
    errors: ['application.not-available', 'favourite.too-many'],
  },
)

export const removeFavourite = post(
  '/home_page/favourite/remove/',
  'user',
  z.strictObject({ appId: AppId }),
  Favourites,
  { summary: 'Remove an application from my favourites' },
)

export const markAnnouncementsRead = post(
  '/home_page/announcement/read/',
  'user',
  z.strictObject({ ids: z.array(Id).min(1).max(MAX_SHOWN_ANNOUNCEMENTS) }),
  Done,
  { summary: 'Mark announcements as read' },
)
