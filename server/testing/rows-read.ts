import type { Sql } from '../platform/db.ts'

export type Statement = { text: string; parameters: readonly unknown[] }

/** Tables that have a million rows and more at a large institution. */
const LARGE =
  /^(users|login_names|role_members|user_organizations|application_grants|sso_sessions|portal_sessions|session_services|known_devices|passwords|(login|visit|audit)_records\w*)$/

type Node = Record<string, unknown> & { Plans?: Node[] }

/** What the node read of its table: the rows it found and those that it looked at and left. */
function readByNode(node: Node): { table: string; rows: number }[] {
  const below = (node.Plans ?? []).flatMap(readByNode)
  const table = String(node['Relation Name'] ?? '')
  if (!LARGE.test(table)) return below
  const each =
    Number(node['Actual Rows'] ?? 0) +
    Number(node['Rows Removed by Filter'] ?? 0) +
    Number(node['Rows Removed by Index Recheck'] ?? 0)
  return [...below, { table: table.replace(/_\d{4}_\d\d$/, ''), rows: each * Number(node['Actual Loops'] ?? 1) }]
}

/** Runs a statement once more, and undoes it. @returns the rows that it reads of each large table. */
export async function rowsRead(sql: Sql, { text, parameters }: Statement): Promise<Map<string, number>> {
  if (!/^\s*(select|with|update|insert|delete)/i.test(text)) return new Map()
  const read = await sql
    .begin(async (tx) => {
      // A small table is quicker to read whole; what counts is whether there is another way when it is large.
      await tx`set local enable_seqscan = off`
      const [answer] = await tx.unsafe(`explain (analyze, format json, timing off) ${text}`, parameters as never[])
      const [{ Plan }] = (answer as unknown as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN']
      throw new Found(readByNode(Plan))
    })
    .catch((error: unknown) => {
      if (error instanceof Found) return error.read
      throw error
    })
  const tables = Map.groupBy(read, ({ table }) => table)
  return new Map([...tables].map(([table, nodes]) => [table, nodes.reduce((sum, { rows }) => sum + rows, 0)]))
}

/** Carries what was measured out of a transaction that is to be rolled back. */
class Found extends Error {
  readonly read: { table: string; rows: number }[]
  constructor(read: { table: string; rows: number }[]) {
    super('found')
    this.read = read
  }
}
