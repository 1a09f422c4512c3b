import type { Db } from '../../platform/db.ts'

type OutboxRow = { id: string; sealed: string; createdAt: Date }

/** Stores a message, keeping only the newest `limit`. A repeated id changes nothing. */
export async function insertOutboxMessage(db: Db, { id, sealed, createdAt }: OutboxRow, limit: number): Promise<void> {
  await db`
    insert into outbox_messages (id, sealed, created_at) values (${id}, ${sealed}, ${createdAt})
    on conflict (id) do nothing`
  await db`
    delete from outbox_messages where id in (
      select id from outbox_messages order by created_at desc, id desc offset ${limit})`
}

export const listOutboxMessages = (db: Db, limit: number) => db<OutboxRow[]>`
  select id, sealed, created_at from outbox_messages order by created_at desc, id desc limit ${limit}`
