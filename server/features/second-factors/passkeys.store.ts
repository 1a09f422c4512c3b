import type { Db } from '../../platform/db.ts'

export type PasskeyRow = {
  id: string
  userId: string
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  backedUp: boolean
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

const columns = (db: Db) => db`
  id, user_id, credential_id, public_key, counter::float8 as counter, transports,
  backed_up, name, created_at, last_used_at`

/** More than anybody has devices for; keeps the list of a login short. */
export const MAX_PASSKEYS = 20

export const listPasskeys = (db: Db, userId: string) => db<PasskeyRow[]>`
  select ${columns(db)} from passkeys where user_id = ${userId} order by created_at, id limit ${MAX_PASSKEYS}`

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db<PasskeyRow[]>`select ${columns(db)} from passkeys where credential_id = ${credentialId}`
  return row ?? null
}

/** @returns false if this credential is registered already */
export async function insertPasskey(db: Db, p: Omit<PasskeyRow, 'lastUsedAt'>): Promise<boolean> {
  const result = await db`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
    values (${p.id}, ${p.userId}, ${p.credentialId}, ${p.publicKey}, ${p.counter}, ${p.transports}, ${p.backedUp}, ${p.name},
      ${p.createdAt})
    on conflict (credential_id) do nothing`
  return result.count > 0
}

/** @returns false if its counter went backwards, so that there must be a copy of it */
export async function updatePasskeyCounter(db: Db, id: string, counter: number, backedUp: boolean, at: Date) {
  const result = await db`
    update passkeys set counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${at}
    where id = ${id} and (counter < ${counter} or counter = 0 and ${counter} = 0)`
  return result.count > 0
}

export async function updatePasskeyName(db: Db, userId: string, id: string, name: string): Promise<string | null> {
  const [row] = await db<{ before: string }[]>`
    with former as (select name from passkeys where id = ${id} and user_id = ${userId} for update)
    update passkeys k set name = ${name} from former where k.id = ${id} and k.user_id = ${userId}
    returning former.name as before`
  return row?.before ?? null
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<string | null> {
  const [row] = await db<{ name: string }[]>`
    delete from passkeys where id = ${id} and user_id = ${userId} returning name`
  return row?.name ?? null
}

export async function deleteAllPasskeys(db: Db, userId: string): Promise<number> {
  const result = await db`delete from passkeys where user_id = ${userId}`
  return result.count
}
