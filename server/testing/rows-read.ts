import type { Database } from '../platform/db.ts'

export type Statement = { text: string; parameters: readonly unknown[] }

/** Tables with a million rows and more at a large institution. */
const LARGE =
  /^(users|login_names|role_members|user_organizations|application_grants|sso_sessions|portal_sessions|session_services|known_devices|passwords|(login|visit|audit)_records\w*)$/

type Node = Record<string, unknown> & { Plans?: Node[] }

type Read = { table: string; rows: number }

/** What the node read of its table: the rows it returned and those it filtered out; a scan that finds none counts as one. */
function readByNode(node: Node, tables: RegExp): Read[] {
  const below = (node.Plans ?? []).flatMap((one) => readByNode(one, tables))
  const table = String(node['Relation Name'] ?? '')
  if (!tables.test(table)) return below
  const each =
    Number(node['Actual Rows'] ?? 0) +
    Number(node['Rows Removed by Filter'] ?? 0) +
    Number(node['Rows Removed by Index Recheck'] ?? 0)
  return [
    ...below,
    { table: table.replace(/_\d{4}_\d\d$/, ''), rows: Math.max(each, 1) * Number(node['Actual Loops'] ?? 1) },
  ]
}

type Options = {
  /** Which are counted. */
  tables?: RegExp
  /** A small table is faster to scan: false shows whether an index would be used if it were large. */
  readsWhole?: boolean
}

/** Runs a statement once more, and rolls it back. @returns the rows that it reads of each table */
export async function rowsRead(
  sql: Database,
  { text, parameters }: Statement,
  { tables = LARGE, readsWhole = false }: Options = {},
): Promise<Map<string, number>> {
  if (!/^\s*(select|with|update|insert|delete)/i.test(text)) return new Map()
  const read = await sql
    .begin(async (tx) => {
      if (!readsWhole) await tx`set local enable_seqscan = off`
      await tx`set local plan_cache_mode = force_custom_plan`
      const [answer] = await tx.unsafe(`explain (analyze, format json, timing off) ${text}`, parameters as never[])
      const [{ Plan }] = (answer as unknown as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN']
      throw new Found(readByNode(Plan, tables))
    })
    .catch((error: unknown) => {
      if (error instanceof Found) return error.read
      throw error
    })
  const byTable = Map.groupBy(read, ({ table }) => table)
  return new Map([...byTable].map(([table, nodes]) => [table, nodes.reduce((sum, { rows }) => sum + rows, 0)]))
}

/** Carries the measurement out of a transaction that is to be rolled back. */
class Found extends Error {
  readonly read: Read[]
  constructor(read: Read[]) {
    super('found')
    this.read = read
  }
}
