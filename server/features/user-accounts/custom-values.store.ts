import type { Db } from '../../platform/db.ts'

/** Writes one value, or takes it away, as a part of a change that raises the version itself. */
export async function setCustomValues(
  db: Db,
  userId: string,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  await db`
    update users set custom_values = nullif(jsonb_strip_nulls(
      coalesce(custom_values, '{}') || ${JSON.stringify(values)}::text::jsonb), '{}') where id = ${userId}`
}

/** How many people have a value of a field, up to `most`; with `value` only that one. Includes deleted people, who can be restored. */
export async function countCustomValues(
  db: Db,
  { key, value, most }: { key: string; value?: string; most: number },
): Promise<number> {
  const has =
    value === undefined
      ? db`custom_values is not null and custom_values ->> ${key} is not null`
      : db`custom_values @> ${JSON.stringify({ [key]: value })}::text::jsonb`
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from users where ${has} limit ${most}) found`
  return row?.count ?? 0
}

/** Is there a value that two people have? */
export async function hasRepeatedCustomValue(db: Db, key: string): Promise<boolean> {
  const rows = await db`
    select from users where custom_values ->> ${key} is not null and deleted_at is null
    group by custom_values ->> ${key} having count(*) > 1 limit 1`
  return rows.length > 0
}

export type DeletionStep = {
  /** The last person examined; null: there is nobody after. */
  last: string | null
  seen: number
  deleted: number
}

/** Clears a value for the next `most` people after `after`, including deleted ones, without incrementing their version. */
export async function deleteCustomValues(
  db: Db,
  { key, after, most }: { key: string; after: string; most: number },
): Promise<DeletionStep> {
  const [row] = await db<DeletionStep[]>`
    with step as materialized (select id from users where id > ${after} order by id limit ${most}),
      emptied as (
        update users u set custom_values = nullif(u.custom_values - ${key}, '{}') from step s
        where u.id = s.id and jsonb_exists(u.custom_values, ${key}) returning 1)
    select (select id from step order by id desc limit 1) as last, (select count(*)::int from step) as seen,
      (select count(*)::int from emptied) as deleted`
  return row ?? { last: null, seen: 0, deleted: 0 }
}
