import type { Context } from '../../platform/platform.ts'
import { inScope, mayManage, seesEverything } from '../access/index.ts'
import { errors } from './application-grants.errors.ts'
import { findMembers, lockMember, type Member, type MemberScope } from './member.store.ts'

/**
 * The member with this id. To `look`, the caller must administer them; to `authorise`, have that permission there. Roles and categories are
 * for super users only, because they span organisations.
 * @throws Refusal `application-grant.member-not-found`, also for one that is out of scope.
 */
export async function getMember(ctx: Context, id: string, verb: 'look' | 'authorise'): Promise<Member> {
  const [member] = await getMembers(ctx, [id], verb)
  return member as Member
}

/** As `getMember`, for all of them; throws if one is missing. */
export async function getMembers(
  ctx: Context,
  ids: readonly string[],
  verb: 'look' | 'authorise',
): Promise<readonly Member[]> {
  const { db } = ctx
  const isLooking = verb === 'look'
  const allowed: MemberScope = {
    people: isLooking ? inScope(ctx, db`u.organization_id`) : mayManage(ctx, 'authorise'),
    organizations: inScope(ctx, db`o.id`, isLooking ? null : 'authorise'),
    others: seesEverything(ctx),
  }
  const members = await findMembers(db, ids, allowed, ctx.client.language)
  if (members.length < new Set(ids).size) throw errors['application-grant.member-not-found']()
  return members
}

/** A member about to get a grant in the caller's transaction, locked against deletion until it ends. @throws as `getMember`. */
export async function lockMemberForGrant(ctx: Context, id: string): Promise<Member> {
  const member = await getMember(ctx, id, 'authorise')
  if (!(await lockMember(ctx.db, member))) throw errors['application-grant.member-not-found']()
  return member
}
