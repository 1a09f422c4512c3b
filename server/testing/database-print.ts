import type { Database } from '../platform/db.ts'

/**
 * The content of every table, as one line each: two prints are equal if nothing was written between them, ignoring "last seen" times, which
 * any request may update.
 * @param except tables that may change: records, ephemeral state.
 */
export async function databasePrint(sql: Database, except: readonly string[] = []): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  const names = tables.map(({ name }) => name).filter((name) => !except.includes(name))
  return await Promise.all(
    names.map(async (name) => {
      const [row] = await sql<{ print: string }[]>`
        select count(*) || ' ' || coalesce(md5(string_agg(line, '' order by line)), '') as print
        from (select (to_jsonb(t) - 'last_seen_at')::text as line from ${sql(name)} t) as lines`
      return `${name} ${row?.print}`
    }),
  )
}
