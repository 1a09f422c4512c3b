import type { Grant, listGrants } from '#shared/contract/application-grants.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers, organizationsInScope, seesEverything } from '../access/index.ts'
import { smallScope } from '../organizations/index.ts'
import { countReached } from '../roles/index.ts'
import { errors } from './application-grants.errors.ts'
import {
  findGrant,
  findGrantReach,
  GRANT_SORTS,
  type GrantFilter,
  type GrantRow,
  pageOfGrants,
} from './grants.store.ts'
import type { Member } from './member.store.ts'

/** Shown as expiring soon. */
const EXPIRING_SOON_DAYS = 30

function toGrant(ctx: Context, { validFrom, validUntil, grantedAt, grantedBy, ...row }: GrantRow): Grant {
  return {
    ...row,
    id: `${row.applicationId}.${row.memberId}`,
    validFrom: toIso(validFrom),
    validUntil: toIso(validUntil),
    grantedAt: toIso(grantedAt),
    grantedBy: forSuperUsers(ctx, grantedBy),
  }
}

/** Super users also see grants to roles and categories. */
async function loadGrantScope(ctx: Context): Promise<GrantFilter['part']> {
  if (seesEverything(ctx)) return null
  return { organizations: organizationsInScope(ctx, null), isSmall: (await smallScope(ctx)) !== null }
}

/** @throws Refusal `list.too-deep`. */
export async function grantsPage(ctx: Context, query: Input<typeof listGrants>['query']) {
  const now = ctx.now()
  const { endsWithin, applicationId = null, kind = null, state = null } = query
  const filter: GrantFilter = {
    search: query.search.normalize('NFKC'),
    applicationId,
    kind,
    memberId: null,
    state,
    endsBefore: endsWithin ? new Date(now.getTime() + endsWithin * DAY_MS) : null,
    now,
    part: await loadGrantScope(ctx),
  }
  const sort = GRANT_SORTS.find((name) => query.sort.endsWith(name)) ?? 'application'
  const order = { sort, descending: query.sort.startsWith('-'), language: ctx.client.language }
  const page = await pageOfGrants(ctx.db, filter, order, query)
  return { ...page, records: page.records.map((row) => toGrant(ctx, row)) }
}

/** One grant as shown in the list. @throws Refusal `application-grant.not-found`. */
export async function getGrant(ctx: Context, member: Member, applicationId: string): Promise<Grant> {
  const row = await findGrant(ctx.db, member, applicationId, { now: ctx.now(), language: ctx.client.language })
  if (!row) throw errors['application-grant.not-found']()
  return toGrant(ctx, row)
}

/** How many people have an application. @throws Refusal `application-grant.application-not-found`. */
export async function getGrantReach(ctx: Context, applicationId: string) {
  const now = ctx.now()
  const soon = new Date(now.getTime() + EXPIRING_SOON_DAYS * DAY_MS)
  const reach = await findGrantReach(ctx.db, applicationId, now, soon)
  if (!reach) throw errors['application-grant.application-not-found']()
  const { role, organization, category, user } = reach.running
  const people = await countReached(ctx.db, {
    roleIds: role,
    organizationIds: organization,
    categoryIds: category,
    userIds: user,
  })
  return {
    type: reach.type,
    subjects: reach.counts,
    people: people.total,
    peopleIsLowerBound: people.totalIsLowerBound ?? false,
    endingSoon: reach.ending,
  }
}
