import { type Announcement, AnnouncementFields, MAX_ANNOUNCEMENTS } from '#shared/contract/announcements.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { MAX_SHOWN_ANNOUNCEMENTS, type ShownAnnouncement } from '#shared/contract/home-page.ts'
import type { Context } from '../../platform/platform.ts'
import { resourceService } from '../resources/index.ts'
import { titleLanguage } from './announcement-language.rules.ts'
import {
  type AnnouncementInput,
  type AnnouncementQuery,
  announcementsStore,
  countAnnouncements,
  listPublishedAnnouncements,
  type PublishedAnnouncement,
} from './announcements.store.ts'
import { errors } from './home-page.errors.ts'
import type { HomePerson } from './home-page.store.ts'

const TOPIC = 'announcements'

export const announcementsService = resourceService<AnnouncementInput, Announcement, AnnouncementQuery>({
  kind: 'announcement',
  fields: AnnouncementFields,
  store: announcementsStore,
  async check(ctx, fields, id) {
    const { titles, texts, shownFrom, shownUntil } = fields
    if (shownFrom && shownUntil && new Date(shownFrom) >= new Date(shownUntil))
      throw errors['announcement.bad-period']({ data: { fields: ['shownUntil'] } })
    const untitled = Object.keys(texts).find((language) => !Object.hasOwn(titles, language))
    if (untitled) throw errors['announcement.text-without-title']({ data: { fields: [`titles.${untitled}`] } })
    if (id === null && (await countAnnouncements(ctx.db)) >= MAX_ANNOUNCEMENTS)
      throw errors['announcement.too-many']({ params: { most: MAX_ANNOUNCEMENTS } })
    return fields
  },
  async changed(ctx) {
    await ctx.cache.invalidate(ctx.db, TOPIC)
  },
})

export const announcementRestorer = announcementsService.restorer

/** The newest announcements for this person at this moment. */
export async function announcementsFor(ctx: Context, person: HomePerson): Promise<ShownAnnouncement[]> {
  const now = ctx.now()
  const all = await ctx.cache.read(TOPIC, 'published', () => listPublishedAnnouncements(ctx.db, now))
  return all
    .filter(({ at, until }) => at <= now && (until === null || now < until))
    .filter((announcement) => isFor(announcement, person))
    .slice(0, MAX_SHOWN_ANNOUNCEMENTS)
    .map((announcement) => toShown(announcement, person, ctx.client.language))
}

function isFor({ categories, organizations }: PublishedAnnouncement, person: HomePerson): boolean {
  if (categories.length === 0 && organizations.length === 0) return true
  if (person.category !== null && categories.includes(person.category)) return true
  return organizations.some((id) => person.organizations.includes(id))
}

function toShown(
  { id, titles, texts, url, at }: PublishedAnnouncement,
  { read }: HomePerson,
  language: Language,
): ShownAnnouncement {
  const shown = titleLanguage(titles, language)
  const text = texts[shown] ?? texts[titleLanguage(texts, language)] ?? ''
  return { id, title: titles[shown] ?? '', text, url, at: at.toISOString(), isRead: read.includes(id) }
}
