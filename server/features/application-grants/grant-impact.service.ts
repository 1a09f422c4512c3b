import type { grantImpact } from '#shared/contract/application-grants.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { countReached } from '../roles/index.ts'
import { errors } from './application-grants.errors.ts'
import { countAffected, findRunningSubjects, someAffected } from './grant-impact.store.ts'
import { getMembers } from './member.service.ts'

/**
 * Who would gain or lose an application; people with another path to it are not counted.
 * @throws Refusal `application-grant.member-not-found`, `application-grant.application-not-found`.
 */
export async function getGrantImpact(ctx: Context, { appId, memberIds, change }: Input<typeof grantImpact>['query']) {
  const { db } = ctx
  const members = await getMembers(ctx, memberIds, 'authorise')
  const running = await findRunningSubjects(db, appId, memberIds, ctx.now())
  if (!running) throw errors['application-grant.application-not-found']()
  const concerned = change === 'give' ? members : members.filter(({ memberId }) => running.includes(memberId))
  const idsOf = (kind: string) => concerned.filter((one) => one.kind === kind).map(({ memberId }) => memberId)
  const subjects = {
    roleIds: idsOf('role'),
    organizationIds: idsOf('organization'),
    categoryIds: idsOf('category'),
    userIds: idsOf('user'),
  }
  const query = { appId, change, subjects, ids: concerned.map(({ memberId }) => memberId), now: ctx.now() }
  const visible = inScope(ctx, db`u.organization_id`)
  const [reached, total, people] = await Promise.all([
    countReached(db, subjects),
    countAffected(db, query),
    someAffected(db, query, visible, ctx.client.language),
  ])
  return {
    total: total.total,
    totalIsLowerBound: (total.totalIsLowerBound ?? false) || (reached.totalIsLowerBound ?? false),
    people: [...people],
  }
}
