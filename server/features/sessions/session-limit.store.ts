import type { Db } from '../../platform/db.ts'
import type { ActivityCutoff } from './session-activity.rules.ts'

type AboveRow = { userId: string; account: string; name: string; at: Date }

/** People with more logins than `most`, those with the most first, and how many people that are. */
export async function countAboveLimit(
  db: Db,
  { most, now, idleSince, limit }: ActivityCutoff & { most: number; limit: number },
): Promise<{ people: number; rows: AboveRow[] }> {
  const rows = await db<(AboveRow & { people: number })[]>`
    with above as (
      select s.user_id, count(*) as logins, max(s.last_seen_at) as at from sso_sessions s
      where s.ended_at is null and s.expires_at > ${now} and (s.remembered or s.last_seen_at > ${idleSince})
      group by s.user_id having count(*) > ${most})
    select u.id as user_id, u.account, u.name, a.at, (select count(*)::int from above) as people
    from (select * from above order by logins desc, user_id limit ${limit}) a join users u on u.id = a.user_id
    order by a.logins desc, a.user_id`
  return { people: rows[0]?.people ?? 0, rows }
}
