import type { Db, SqlFragment } from '../../platform/db.ts'

/** Endings `e` whose task `t` is still relevant. */
const runningEndings = (db: Db): SqlFragment => db`
  organization_endings e join background_tasks t on t.id = e.task_id and t.state in ('queued', 'running') and e.result is null`

/** SQL value: how `o` is being ended in the background, with the task if `ownTask` (a condition on `t`) holds; null: it is not. */
export const endingColumn = (db: Db, ownTask: SqlFragment): SqlFragment => db`(
  select jsonb_build_object('kind', e.kind, 'taskId', case when ${ownTask} then e.task_id end)
  from ${runningEndings(db)} where e.organization_id = o.id limit 1)`

/** SQL condition: is `o` being ended? Then it accepts nobody new. */
export const isEnding = (db: Db): SqlFragment =>
  db`exists (select from ${runningEndings(db)} where e.organization_id = o.id)`

/** Is one of these being ended? */
export async function isAnyEnding(db: Db, ids: readonly string[]): Promise<boolean> {
  const rows =
    await db`select from ${runningEndings(db)} where e.organization_id = any(${ids as string[]}::uuid[]) limit 1`
  return rows.length > 0
}

/** Is this organisation, or one within it, receiving people or organisations of an ending one? */
export async function isReceiving(db: Db, id: string): Promise<boolean> {
  const rows = await db`
    select from ${runningEndings(db)} join organizations o on o.id = any(e.taker_ids)
    where o.ancestor_ids @> array[${id}::uuid] limit 1`
  return rows.length > 0
}

type NewEnding = { taskId: string; organizationId: string; kind: 'merge' | 'delete'; takers: readonly string[] }

export const insertEnding = (db: Db, { taskId, organizationId, kind, takers }: NewEnding) => db`
  insert into organization_endings (task_id, organization_id, kind, taker_ids)
  values (${taskId}, ${organizationId}, ${kind}, ${takers as string[]}::uuid[])`

export type MovedCounts = {
  people: number
  /** All former secondary members, for the audit record. */
  members: number
  /** Those of them visible to the person who ends it. */
  secondaryMembers: number
}

export const addMovedCounts = (db: Db, taskId: string, { people, members, secondaryMembers }: MovedCounts) => db`
  update organization_endings set people = people + ${people}, members = members + ${members},
    secondary_members = secondary_members + ${secondaryMembers}
  where task_id = ${taskId}`

type EndingRow = MovedCounts & { result: unknown }

export async function findEnding(db: Db, taskId: string): Promise<EndingRow | null> {
  const [row] = await db<EndingRow[]>`
    select people, members, secondary_members, result from organization_endings where task_id = ${taskId}`
  return row ?? null
}

export const updateEndingResult = (db: Db, taskId: string, result: unknown) => db`
  update organization_endings set result = ${JSON.stringify(result)}::text::jsonb where task_id = ${taskId}`
