import type { Db } from '../../platform/db.ts'

/** The logins that a task ended, by its audit records, which carry the id of the request that started it. */
export async function listEndedByTask(db: Db, taskId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select r.target_id as id from background_tasks t
      join audit_records r on r.target_kind = 'session' and r.action = 'session.kick-out' and r.actor_id = t.owner_id
        and r.at >= t.created_at and r.at <= coalesce(t.finished_at, 'infinity') and r.request_id = t.client->>'requestId'
    where t.id = ${taskId} limit 100000`
  return rows.map(({ id }) => id)
}
