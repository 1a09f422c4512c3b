import type { z } from 'zod'
import type { Announcement, AnnouncementFields, announcements } from '#shared/contract/announcements.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { escapeLike, listPage } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import type { ResourceStore } from '../resources/index.ts'
import { titleLanguage } from './announcement-language.rules.ts'

export type AnnouncementInput = z.output<typeof AnnouncementFields>
export type AnnouncementQuery = Input<typeof announcements.list>['query']

const columns = (db: Db, now: Date): SqlFragment => db`
  n.id, n.version, n.titles, n.texts, n.url, n.shown_from, n.shown_until, n.categories,
  n.organizations::text[] as organizations, n.updated_at,
  ${stateOf(db, now)} as state,
  coalesce((select jsonb_object_agg(o.id, o.name) from organizations o where o.id = any(n.organizations)), '{}') as organization_names`

const stateOf = (db: Db, now: Date): SqlFragment => db`
  case when n.shown_until <= ${now} then 'over' when n.shown_from > ${now} then 'coming' else 'shown' end`

type Stored = Pick<Announcement, 'id' | 'version' | 'titles' | 'texts' | 'url' | 'categories' | 'organizations'> &
  Pick<Announcement, 'state' | 'organizationNames'> & {
    shownFrom: Date | null
    shownUntil: Date | null
    updatedAt: Date
  }

const toAnnouncement = ({ shownFrom, shownUntil, updatedAt, ...row }: Stored, language: Language): Announcement => ({
  ...row,
  name: row.titles[titleLanguage(row.titles, language)] ?? '',
  shownFrom: toIso(shownFrom),
  shownUntil: toIso(shownUntil),
  updatedAt: updatedAt.toISOString(),
})

function matches({ db, now }: Context, { search, state }: AnnouncementQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`
    (${search} = '' or exists (select from jsonb_each_text(n.titles) t where t.value ilike ${pattern}))
    and ${state ? db`${stateOf(db, now())} = ${state}` : db`true`}`
}

const asJson = (db: Db, value: object): SqlFragment => db`${JSON.stringify(value)}::text::jsonb`

export const announcementsStore: ResourceStore<AnnouncementInput, Announcement, AnnouncementQuery> = {
  async page(ctx, query) {
    const { db, client, now } = ctx
    const from = db`from announcements n where ${matches(ctx, query)}`
    const page = await listPage(db, query, from, ({ asc, desc, bounds }) => {
      const direction = query.sort.startsWith('-') ? desc : asc
      return db<Stored[]>`
        select ${columns(db, now())} ${from} order by n.updated_at ${direction}, n.id ${direction} ${bounds}`
    })
    return { ...page, records: page.records.map((row) => toAnnouncement(row, client.language)) }
  },
  async find({ db, client, now }, ids) {
    const rows = await db<Stored[]>`
      select ${columns(db, now())} from announcements n where n.id = any(${ids as string[]}::uuid[])`
    return rows.map((row) => toAnnouncement(row, client.language))
  },
  async insert({ db, now }, id, { titles, texts, url, shownFrom, shownUntil, categories, organizations }) {
    await db`
      insert into announcements
        (id, titles, texts, url, shown_from, shown_until, categories, organizations, created_at, updated_at)
      values (${id}, ${asJson(db, titles)}, ${asJson(db, texts)}, ${url}, ${shownFrom}, ${shownUntil}, ${categories},
        ${organizations}::text[]::uuid[], ${now()}, ${now()})`
  },
  async update({ db, now }, id, { titles, texts, url, shownFrom, shownUntil, categories, organizations }) {
    await db`
      update announcements set titles = ${asJson(db, titles)}, texts = ${asJson(db, texts)}, url = ${url},
        shown_from = ${shownFrom}, shown_until = ${shownUntil}, categories = ${categories},
        organizations = ${organizations}::text[]::uuid[], version = version + 1, updated_at = ${now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from announcements where id = ${id}`
  },
}

export async function countAnnouncements(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from announcements`
  return row?.count ?? 0
}

export type PublishedAnnouncement = Pick<Stored, 'id' | 'titles' | 'texts' | 'url' | 'categories' | 'organizations'> & {
  at: Date
  until: Date | null
}

/** All that have not ended, newest first; at most `MAX_ANNOUNCEMENTS`. */
export const listPublishedAnnouncements = (db: Db, now: Date) => db<PublishedAnnouncement[]>`
  select n.id, n.titles, n.texts, n.url, n.categories, n.organizations::text[] as organizations,
    coalesce(n.shown_from, n.created_at) as at, n.shown_until as until
  from announcements n where n.shown_until is null or n.shown_until > ${now}
  order by coalesce(n.shown_from, n.created_at) desc, n.id desc`
