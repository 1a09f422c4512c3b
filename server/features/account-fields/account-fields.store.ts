import type { Db } from '../../platform/db.ts'

/** Until the end of the transaction nobody saves other rules of fields. */
export async function holdFieldRules(db: Db): Promise<void> {
  await db`select from settings where name = 'accountFields' for share`
}
