import type { Db } from '../../platform/db.ts'

/** As it is stored; undefined: there is none, or it was never published. */
export async function findPublishedDesign(db: Db, id: string): Promise<unknown> {
  const [row] = await db<{ design: unknown }[]>`
    select design from themes where id::text = ${id} and design is not null`
  return row?.design
}
