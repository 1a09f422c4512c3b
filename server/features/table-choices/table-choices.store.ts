import type { TableChoices } from '#shared/contract/tables.ts'
import type { Db } from '../../platform/db.ts'

type Choices = { columns: string[]; density: TableChoices['density'] }

export const findChoices = (db: Db, userId: string, tableKey: string) => db<Choices[]>`
  select columns, density from table_choices where user_id = ${userId} and table_key = ${tableKey}`

export async function saveChoices(
  db: Db,
  { userId, tableKey, columns, density, at }: Choices & { userId: string; tableKey: string; at: Date },
): Promise<void> {
  await db`
    insert into table_choices (user_id, table_key, columns, density, updated_at)
    values (${userId}, ${tableKey}, ${columns}, ${density}, ${at})
    on conflict (user_id, table_key) do update
      set columns = excluded.columns, density = excluded.density, updated_at = excluded.updated_at`
}
