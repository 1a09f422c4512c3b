import type { LockedPerson, listLockedPeople } from '#shared/contract/account-holds.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers } from '../access/index.ts'
import { listPeopleAs } from '../people-list/index.ts'
import { type LockedRow, listLockedRows } from './locked-people.store.ts'

/** People who are locked, as far as the caller may see. @throws Refusal `list.too-deep`. */
export async function lockedPeoplePage(ctx: Context, query: Input<typeof listLockedPeople>['query']) {
  const now = ctx.now()
  const { records, ...total } = await listPeopleAs(ctx, query, ({ db }, ids) =>
    listLockedRows(db, ids, ctx.client.language, now),
  )
  return { records: records.map((row) => toLockedPerson(ctx, row)), ...total }
}

/** An administrator's lock is shown first: it outlasts a lock-out by failures. */
function toLockedPerson(ctx: Context, row: LockedRow): LockedPerson {
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
    by: isByHand ? forSuperUsers(ctx, row.lockedBy) : null,
    closed,
    lastAddress,
  }
}
