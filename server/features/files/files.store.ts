import type { Database, Db } from '../../platform/db.ts'

export type StoredFile = { contentType: string; bytes: Buffer }
type NewFile = StoredFile & { id: string; purpose: string; at: Date }

export async function insertPublicFile(db: Db, file: NewFile): Promise<void> {
  await db`
    insert into files (id, purpose, content_type, bytes, created_at)
    values (${file.id}, ${file.purpose}, ${file.contentType}, ${file.bytes}, ${file.at})`
}

/** Adds a pending file, replacing any other pending one of its owner. */
export async function insertPendingFile(sql: Database, file: NewFile & { ownerId: string }): Promise<void> {
  await sql.begin(async (tx) => {
    // Serialised per owner, or parallel uploads would each leave a file.
    await tx`select from users where id = ${file.ownerId} for update`
    await tx`delete from files where owner_id = ${file.ownerId} and purpose = ${file.purpose} and pending`
    await tx`
      insert into files (id, purpose, owner_id, content_type, bytes, created_at, pending)
      values (${file.id}, ${file.purpose}, ${file.ownerId}, ${file.contentType}, ${file.bytes}, ${file.at}, true)`
  })
}

/** Adds a pending file that is identified by its content; if it exists already, its waiting time starts again. */
export async function insertSharedFile(db: Db, file: NewFile): Promise<void> {
  await db`
    insert into files as f (id, purpose, content_type, bytes, created_at, pending)
    values (${file.id}, ${file.purpose}, ${file.contentType}, ${file.bytes}, ${file.at}, true)
    on conflict (id) do update set created_at = excluded.created_at where f.pending`
}

/** @returns false if there is no such file */
export async function keepSharedFile(db: Db, { id, purpose }: { id: string; purpose: string }): Promise<boolean> {
  const { count } = await db`update files set pending = false where id::text = ${id} and purpose = ${purpose}`
  return count > 0
}

type FileClaim = { id: string; ownerId: string; purpose: string }

/** @returns false if there is no such file of this owner */
export async function claimFile(db: Db, { id, ownerId, purpose }: FileClaim): Promise<boolean> {
  const { count } = await db`
    update files set pending = false where id = ${id} and owner_id = ${ownerId} and purpose = ${purpose}`
  return count > 0
}

type OtherFiles = { ownerId: string; purpose: string; keptId: string | null }

export async function deleteOtherFiles(db: Db, { ownerId, purpose, keptId }: OtherFiles): Promise<void> {
  await db`
    delete from files where owner_id = ${ownerId} and purpose = ${purpose} and id is distinct from ${keptId}`
}

export async function deletePendingFiles(db: Db, before: Date): Promise<void> {
  await db`delete from files where pending and created_at < ${before}`
}

/** @param purposes files with any other purpose are not found */
export async function findFile(db: Db, id: string, purposes: readonly string[]): Promise<StoredFile | null> {
  const [row] = await db<StoredFile[]>`
    select content_type, bytes from files where id = ${id} and purpose = any(${purposes as string[]})`
  return row ?? null
}

export async function findOwnedFile(
  db: Db,
  id: string,
  ownerId: string,
): Promise<(StoredFile & { purpose: string }) | null> {
  const [row] = await db<(StoredFile & { purpose: string })[]>`
    select content_type, bytes, purpose from files where id = ${id} and owner_id = ${ownerId}`
  return row ?? null
}
