import type { Db } from '../../platform/db.ts'

export type StoredFile = { contentType: string; bytes: Buffer }

export async function insertFile(
  db: Db,
  file: StoredFile & { id: string; purpose: string; ownerId: string | null; at: Date },
): Promise<void> {
  await db`
    insert into files (id, purpose, owner_id, content_type, bytes, created_at)
    values (${file.id}, ${file.purpose}, ${file.ownerId}, ${file.contentType}, ${file.bytes}, ${file.at})`
}

/** @param purposes files of any other purpose are not found. */
export async function fileById(db: Db, id: string, purposes: readonly string[]): Promise<StoredFile | null> {
  const [row] = await db<StoredFile[]>`
    select content_type as "contentType", bytes from files where id = ${id} and purpose = any(${purposes as string[]})`
  return row ?? null
}
