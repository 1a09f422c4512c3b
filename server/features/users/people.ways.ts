import type { UserFilters } from '#shared/contract/users.ts'
import type { Context } from '../../platform/platform.ts'
import { mayManage } from '../administrators/index.ts'
import { type Way, waysToMean } from '../name-search/index.ts'

/**
 * The ways to the people whom a search means; null without one. Phones and mailboxes lead only to people whom the caller may
 * change: of anybody else they are shown masked, and searching for one beginning after the other would spell them out.
 */
export function waysOf(ctx: Context, { search, searchBy }: UserFilters): Way[] | null {
  const { db, caller } = ctx
  if (!search) return null
  const ways = waysToMean(db, search, searchBy)
  if (!caller || caller.isSuperUser) return ways
  const mayEdit = mayManage(ctx, 'edit')
  return ways.map((way) =>
    way.kind === 'phone' || way.kind === 'mailbox' ? { ...way, condition: db`(${way.condition} and ${mayEdit})` } : way,
  )
}
