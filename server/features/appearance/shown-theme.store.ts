import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

type PublishedTheme = { id: string; name: string; names: Record<Language, string>; design: unknown }

/** The institution's published themes; at most `MAX_THEMES`. */
export const listPublishedThemes = (db: Db) => db<PublishedTheme[]>`
  select id, name, names, design from themes where design is not null order by name`

/** As stored; undefined: unknown, or never published. */
export async function findPublishedDesign(db: Db, id: string): Promise<unknown> {
  const [row] = await db<{ design: unknown }[]>`
    select design from themes where id::text = ${id} and design is not null`
  return row?.design
}
