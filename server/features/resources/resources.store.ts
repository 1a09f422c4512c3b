import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage, type Page, type PageQuery, sortedBy } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'

type Reading<Stored, Shown, Query> = {
  table: string
  /** The alias that the other pieces of SQL use. */
  alias: string
  columns(ctx: Context): SqlFragment
  /** The table under its alias, with what `columns` needs besides. */
  from?(db: Db): SqlFragment
  /** SQL condition of the filters, about the table alone. */
  matches(db: Db, query: Query): SqlFragment
  toShown(stored: Stored): Shown
}

/** The page and the lookup of resources that lists show by name or time of the last change. */
export function resourceReads<Stored extends object, Shown, Query extends PageQuery & { sort: string }>({
  table,
  alias,
  columns,
  from = (db) => db`${db(table)} ${db(alias)}`,
  matches,
  toShown,
}: Reading<Stored, Shown, Query>) {
  const sorts = { name: `${alias}.name`, updatedAt: `${alias}.updated_at` }
  return {
    async page(ctx: Context, query: Query): Promise<Page<Shown>> {
      const { db } = ctx
      const where = matches(db, query)
      const sort = { columns: sorts, sort: query.sort, tieBreaker: `${alias}.id` }
      const page = await listPage(
        db,
        query,
        db`from ${db(table)} ${db(alias)} where ${where}`,
        (order) => db<Stored[]>`
          select ${columns(ctx)} from ${from(db)} where ${where}
          order by ${sortedBy(db, sort, order)} ${order.bounds}`,
      )
      return { ...page, records: page.records.map(toShown) }
    },
    async find(ctx: Context, ids: readonly string[]): Promise<Shown[]> {
      const { db } = ctx
      const rows = await db<Stored[]>`
        select ${columns(ctx)} from ${from(db)} where ${db(alias)}.id = any(${ids as string[]}::uuid[])`
      return rows.map(toShown)
    },
  }
}

/** How many there are, and whether another one has this name. */
export async function countNamed(db: Db, table: string, name: string, exceptId: string | null) {
  const [row] = await db<{ count: number; isTaken: boolean }[]>`
    select count(*)::int as count, coalesce(bool_or(name = ${name} and id is distinct from ${exceptId}), false) as is_taken
    from ${db(table)}`
  return row ?? { count: 0, isTaken: false }
}
