import type { FastifyRequest } from 'fastify'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  type HomePageSettings,
  MAX_FAVOURITES,
  type OwnHomePage,
  type placeFavourite,
  type ShownSlide,
  type Slide,
} from '#shared/contract/home-page.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { loadHomePage, pickText } from '../appearance/index.ts'
import { findPreviewDraft } from '../appearance-preview/index.ts'
import { requireAvailableApplication } from '../applications/index.ts'
import { findOwnAddress } from '../corporate-mailbox/index.ts'
import { announcementsFor } from './announcements.service.ts'
import { errors } from './home-page.errors.ts'
import {
  addReadAnnouncements,
  type Favourite,
  findHomePerson,
  type HomePerson,
  lockFavourites,
  saveFavourites,
} from './home-page.store.ts'

const NOBODY: HomePerson = { category: null, organizations: [], favourites: [], read: [] }

/** The caller's own part of the home page; with a preview token everything in its draft. */
export async function describeOwnHomePage(
  ctx: Context,
  request: FastifyRequest,
  preview: string | undefined,
): Promise<OwnHomePage> {
  const person = (await findHomePerson(ctx.db, callerOf(ctx).userId)) ?? NOBODY
  const draft = preview === undefined ? null : await findPreviewDraft(ctx, request, preview)
  const settings = draft?.homePage ?? (await loadHomePage(ctx))
  const slides = draft ? settings.carousel : settings.carousel.filter((slide) => isShown(slide, person, ctx.now()))
  return {
    favourites: person.favourites,
    hidden: draft ? [] : hiddenFrom(settings, person),
    announcements: await announcementsFor(ctx, person),
    slides: slides.map((slide) => toShown(slide, ctx.client.language)),
    mailbox: await findOwnAddress(ctx),
  }
}

const isAmong = (categories: readonly string[], { category }: HomePerson): boolean =>
  categories.length === 0 || (category !== null && categories.includes(category))

const hiddenFrom = ({ blocks, audiences }: HomePageSettings, person: HomePerson) =>
  blocks.filter((block) => block !== 'categories' && !isAmong(audiences[block] ?? [], person))

const isShown = ({ from, until, categories }: Slide, person: HomePerson, now: Date): boolean =>
  (!from || new Date(from) <= now) && (!until || now < new Date(until)) && isAmong(categories, person)

const toShown = ({ picture, alternatives, url }: Slide, language: Language): ShownSlide => ({
  picture,
  alternative: pickText(alternatives, language) ?? Object.values(alternatives)[0] ?? '',
  url,
})

/** @throws Refusal `application.not-available`, `favourite.too-many`. */
export const placeOwnFavourite = (
  ctx: Context,
  { appId, before }: Input<typeof placeFavourite>['body'],
): Promise<{ favourites: string[] }> =>
  transaction(ctx, async (inner) => {
    const { userId } = callerOf(inner)
    const known = await lockFavourites(inner.db, userId, inner.now())
    // A favourite can be moved even while it can't be opened.
    const one = known.find((favourite) => favourite.appId === appId) ?? {
      id: await requireAvailableApplication(inner, appId),
      appId,
    }
    const others = known.filter((favourite) => favourite.appId !== appId)
    if (others.length >= MAX_FAVOURITES) throw errors['favourite.too-many']({ params: { most: MAX_FAVOURITES } })
    const at = others.findIndex((favourite) => favourite.appId === before)
    return await keep(inner, userId, others.toSpliced(at < 0 ? others.length : at, 0, one))
  })

export const removeOwnFavourite = (ctx: Context, appId: string): Promise<{ favourites: string[] }> =>
  transaction(ctx, async (inner) => {
    const { userId } = callerOf(inner)
    const known = await lockFavourites(inner.db, userId, inner.now())
    return await keep(
      inner,
      userId,
      known.filter((favourite) => favourite.appId !== appId),
    )
  })

async function keep(ctx: Context, userId: string, favourites: readonly Favourite[]) {
  await saveFavourites(ctx.db, userId, favourites)
  return { favourites: favourites.map(({ appId }) => appId) }
}

export async function markOwnAnnouncementsRead(ctx: Context, ids: readonly string[]): Promise<null> {
  await addReadAnnouncements(ctx.db, callerOf(ctx).userId, ids, ctx.now())
  return null
}
