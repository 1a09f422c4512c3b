import type { LockedPerson, listLockedPeople } from '#shared/contract/account-holds.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { listPeopleAs } from '../people-list/index.ts'
import { type LockedRow, listLockedRows } from './locked-people.store.ts'

/** People who are locked, as far as the caller may see. @throws Refusal `list.too-deep`. */
export async function lockedPeoplePage(ctx: Context, query: Input<typeof listLockedPeople>['query']) {
  const { isSuperUser } = callerOf(ctx)
  const now = ctx.now()
  const { records, ...total } = await listPeopleAs(ctx, query, ({ db }, ids) =>
    listLockedRows(db, ids, ctx.client.language, now),
  )
  return { records: records.map((row) => toLockedPerson(row, isSuperUser)), ...total }
}

/** An administrator's lock is shown first: it outlasts a lock-out by failures. */
function toLockedPerson(row: LockedRow, isSuperUser: boolean): LockedPerson {
  const { id, account, name, organization, category, isByHand, closed, lastAddress } = row
  const [since, until] = isByHand ? [row.lockedAt, row.lockedUntil] : [row.blockedAt, row.blockedUntil]
  return {
    id,
    account,
    name,
    organization,
    category,
    kind: isByHand ? (row.lockCause ?? 'administrator') : 'failures',
    since: toIso(since),
    until: toIso(until),
    reason: isByHand ? row.lockReason : null,
    // A scoped administrator must not learn who others are.
    by: isByHand && isSuperUser ? row.lockedBy : null,
    closed,
    lastAddress,
  }
}
