import type { Db, SqlFragment } from '../../platform/db.ts'

/** SQL: the message `r` was a code that was given up, and no other channel of its route delivered it or still may. */
export const isUndeliveredCode = (db: Db): SqlFragment => db`
  r.template like 'code.%' and r.state in ('failed', 'expired')
  and not exists (select from messages o where o.id = r.route_id and o.state in ('pending', 'sent'))
  and not exists (
    select from messages o where o.route_id = coalesce(r.route_id, r.id) and o.id <> r.id and o.state in ('pending', 'sent'))`
