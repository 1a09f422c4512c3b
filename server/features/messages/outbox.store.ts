import type { Db } from '../../platform/db.ts'

type Kept = { id: string; sealed: string; createdAt: Date }

/** Keeps a message, and of the older ones the newest `most`. A repeated id changes nothing. */
export async function insertOutboxMessage(db: Db, { id, sealed, createdAt }: Kept, most: number): Promise<void> {
  await db`
    insert into outbox_messages (id, sealed, created_at) values (${id}, ${sealed}, ${createdAt})
    on conflict (id) do nothing`
  await db`
    delete from outbox_messages where id in (
      select id from outbox_messages order by created_at desc, id desc offset ${most})`
}

export const newestOutboxMessages = (db: Db, most: number) => db<Kept[]>`
  select id, sealed, created_at as "createdAt" from outbox_messages order by created_at desc, id desc limit ${most}`
