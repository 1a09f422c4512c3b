import type { PendingQuery, Row } from 'postgres'
import type { Context } from '../../platform/platform.ts'
import { organizationsInScope } from '../administrators/index.ts'
import { peopleIn } from './people-counts.store.ts'

type Sql = PendingQuery<Row[]>

/** A part of so many people is read whole, whatever is asked for; in a larger one who is meant is looked up. */
const MOST_READ_WHOLE = 60_000

/**
 * SQL table to read instead of `users`: the people of the caller's part, with the columns of the index `users_of_part`, read before
 * anything else is asked of them. So the time an answer takes never tells whom a filter would have found elsewhere. Null for super
 * users, who see everybody, and where a part has more people than can be read each time: there `inScope` has to do. Wrapped, because
 * a fragment is a promise.
 * @param which.deleted Those who are deleted instead of those who are not.
 */
export async function ownPeople(ctx: Context, { deleted = false } = {}): Promise<{ table: Sql } | null> {
  const { db, caller } = ctx
  if (!caller || caller.isSuperUser) return null
  const organizations = organizationsInScope(ctx, null)
  if ((await peopleIn(db, organizations)) > MOST_READ_WHOLE) return null
  // The offset keeps conditions from being asked inside, where another index might serve them.
  const table = db`(
    select id, account, name, name_pinyin, name_initials, organization_id, category_id, personnel_nature_id, phone, mailbox,
      is_super_user, enabled, activated, locked_at, locked_until, frozen_from, frozen_until, dormant_since, valid_from, valid_until,
      created_at, deleted_at
    from users where organization_id = any(array${organizations})
      and ${deleted ? db`deleted_at is not null` : db`deleted_at is null`} offset 0)`
  return { table }
}
