import type { z } from 'zod'
import type { Language } from '#shared/contract/endpoint.ts'
import { readDesign, type Theme, type ThemeFields } from '#shared/contract/themes.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { ResourceStore } from '../resources/index.ts'

export type ThemeInput = z.output<typeof ThemeFields>
export type ThemeQuery = { pageIndex: number; pageSize: number }

type Stored = Omit<Theme, 'updatedAt' | 'shipped' | 'design' | 'draft'> & {
  updatedAt: Date
  design: unknown
  draft: unknown
}

const columns = (db: Db, language: Language): SqlFragment => db`
  h.id, h.version, h.name, h.names, ${localized(db, 'h', language)} as shown_name, h.design, h.draft,
  h.updated_at`

const designOf = (value: unknown) => (value === null ? null : readDesign(value))
const toTheme = ({ updatedAt, design, draft, ...row }: Stored): Theme => ({
  ...row,
  shipped: false,
  design: designOf(design),
  draft: designOf(draft),
  updatedAt: updatedAt.toISOString(),
})

const asJson = (db: Db, value: unknown) => db`${JSON.stringify(value)}::text::jsonb`

export const themesStore: ResourceStore<ThemeInput, Theme, ThemeQuery> = {
  async page({ db, client }, query) {
    const page = await listPage(
      db,
      query,
      db`from themes h`,
      ({ asc, bounds }) => db<Stored[]>`
        select ${columns(db, client.language)} from themes h order by h.name ${asc} ${bounds}`,
    )
    return { ...page, records: page.records.map(toTheme) }
  },
  async find({ db, client }, ids) {
    const rows = await db<Stored[]>`
      select ${columns(db, client.language)} from themes h where h.id = any(${ids as string[]}::uuid[])`
    return rows.map(toTheme)
  },
  async insert({ db, now }, id, { name, names, design, draft }) {
    await db`
      insert into themes (id, name, names, design, draft, updated_at)
      values (${id}, ${name}, ${asJson(db, names)}, nullif(${asJson(db, design)}, 'null'),
        nullif(${asJson(db, draft)}, 'null'), ${now()})`
  },
  async update({ db, now }, id, { name, names, design, draft }) {
    await db`
      update themes set name = ${name}, names = ${asJson(db, names)}, design = nullif(${asJson(db, design)}, 'null'),
        draft = nullif(${asJson(db, draft)}, 'null'), version = version + 1, updated_at = ${now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from themes where id = ${id}`
  },
}
