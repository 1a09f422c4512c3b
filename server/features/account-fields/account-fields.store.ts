import type { Db } from '../../platform/db.ts'

/** Locks the field rules against changes until the end of the transaction. */
export async function holdFieldRules(db: Db): Promise<void> {
  await db`select from settings where name = 'accountFields' for share`
}
