import type { PendingQuery, Row } from 'postgres'
import type { z } from 'zod'
import type { Language } from '#shared/contract/endpoint.ts'
import { readDesign, type Theme, type ThemeFields } from '#shared/contract/themes.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000 } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { ResourceStore } from '../resources/index.ts'

export type ThemeInput = z.output<typeof ThemeFields>
export type ThemeQuery = { pageIndex: number; pageSize: number }

type Stored = Omit<Theme, 'updatedAt' | 'shipped' | 'design' | 'draft'> & {
  updatedAt: Date
  design: unknown
  draft: unknown
}

const columns = (db: Db, language: Language): PendingQuery<Row[]> => db`
  h.id, h.version, h.name, h.names, ${localized(db, 'h', language)} as "shownName", h.design, h.draft,
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
  count: ({ db }) => countUpTo10000(db, db`select 1 from themes`),
  async page({ db, client }) {
    const rows = await db<Stored[]>`select ${columns(db, client.language)} from themes h order by h.name limit 100`
    return rows.map(toTheme)
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

/** How many themes there are, and whether another one has this name. */
export async function countThemes(db: Db, name: string, exceptId: string | null) {
  const [row] = await db<{ count: number; isTaken: boolean }[]>`
    select count(*)::int as count, coalesce(bool_or(name = ${name} and id is distinct from ${exceptId}), false) as "isTaken"
    from themes`
  return row ?? { count: 0, isTaken: false }
}
