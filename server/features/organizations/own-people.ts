import type { PendingQuery, Row } from 'postgres'
import type { Context } from '../../platform/platform.ts'
import { organizationsInScope } from '../administrators/index.ts'
import { peopleBy } from './people-counts.store.ts'

type Sql = PendingQuery<Row[]>

/** A part of so many people is read whole, whatever is asked for; in a larger one who is meant is looked up. */
const MOST_READ_WHOLE = 60_000

/**
 * SQL table to read instead of `users`: the people of the caller's part, deleted ones too, read before anything else is asked of
 * them. So the time an answer takes never tells whom a filter would have found elsewhere. Null for super users, who see everybody,
 * and where a part has more people than can be read each time: there `inScope` has to do. Wrapped, because a fragment is a promise.
 */
export async function ownPeople(ctx: Context): Promise<{ table: Sql } | null> {
  const { db, caller } = ctx
  if (!caller || caller.isSuperUser) return null
  const [row] = await db<{ people: number }[]>`
    select coalesce(sum(c.people), 0)::int as people from ${peopleBy(db, 'organization')} c
    where c.id in ${organizationsInScope(ctx, null)}`
  if ((row?.people ?? 0) > MOST_READ_WHOLE) return null
  // The offset keeps conditions from being asked inside, where another index might serve them.
  const table = db`(select * from users where organization_id = any(array${organizationsInScope(ctx, null)}) offset 0)`
  return { table }
}
