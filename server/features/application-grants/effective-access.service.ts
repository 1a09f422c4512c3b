import type { PendingQuery, Row } from 'postgres'
import type { AccessPath, accessOfPerson, Obstacle } from '#shared/contract/application-grants.ts'
import type { Input } from '../../platform/http/mount.ts'
import { pageWindow } from '../../platform/list.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope, mayLogIn } from '../access/index.ts'
import { errors } from './application-grants.errors.ts'
import {
  type AccessPathRow,
  type AccessRow,
  countGrantsOf,
  countReachable,
  findAccess,
  findPerson,
  type PersonRow,
  pageOfReachable,
} from './effective-access.store.ts'
import { visibleGrantor } from './grants.service.ts'

const OPEN_TO_ALL: AccessPath = {
  kind: 'whitelist',
  subject: null,
  through: null,
  via: null,
  state: 'running',
  validFrom: null,
  validUntil: null,
  grantedAt: null,
  grantedBy: null,
}

const toIsoTime = (time: string | null): string | null => time && new Date(time).toISOString()

const toAccessPath = (ctx: Context, way: AccessPathRow): AccessPath => ({
  ...way,
  validFrom: toIsoTime(way.validFrom),
  validUntil: toIsoTime(way.validUntil),
  grantedAt: toIsoTime(way.grantedAt),
  grantedBy: visibleGrantor(ctx, way.grantedBy),
})

const toAccessPaths = (ctx: Context, { openToAll, ways }: AccessRow): AccessPath[] => [
  ...(openToAll ? [OPEN_TO_ALL] : []),
  ...ways.map((way) => toAccessPath(ctx, way)),
]

const isRunning = ({ state }: AccessPath) => state === 'running'

async function getVisiblePerson(ctx: Context, userId: string): Promise<PersonRow> {
  const person = await findPerson(ctx.db, userId, inScope(ctx, ctx.db`u.organization_id`))
  if (!person) throw errors['application-grant.person-not-found']()
  return person
}

/** Departments that the caller does not administer stay without a name. */
const toAccessQuery = (ctx: Context, userId: string) => ({
  userId,
  now: ctx.now(),
  language: ctx.client.language,
  maySee: (id: PendingQuery<Row[]>) => inScope(ctx, id),
})

/**
 * Why a person has an application, by every way that leads there, or why not.
 * @throws Refusal `application-grant.person-not-found`, also out of the caller's scope; `application-grant.application-not-found`.
 */
export async function getEffectiveAccess(ctx: Context, userId: string, applicationId: string) {
  const person = await getVisiblePerson(ctx, userId)
  const asked = toAccessQuery(ctx, userId)
  const access = await findAccess(ctx.db, asked, applicationId)
  if (!access) throw errors['application-grant.application-not-found']()
  const ways = toAccessPaths(ctx, access)
  const obstacles = obstaclesOf(ctx.now(), person, access, ways)
  const isSuper = callerOf(ctx).isSuperUser
  return {
    applicationId,
    appId: access.appId,
    application: access.application,
    userId,
    account: person.account,
    person: person.person,
    granted: obstacles.length === 0,
    ways,
    obstacles,
    otherGrants: isSuper ? (await countGrantsOf(ctx.db, applicationId)) - access.grants : null,
  }
}

/** The gate's own answer for the account, for the application, and what is wrong with the grants when none runs. */
function obstaclesOf(now: Date, person: PersonRow, { state }: AccessRow, ways: readonly AccessPath[]): Obstacle[] {
  const granted = ways.some(isRunning)
  const application = { enabled: state === 1, granted, named: true, isPortal: false }
  const isFine = { enabled: true, granted: true, named: true, isPortal: false }
  const account = mayLogIn(now, person, isFine) as Obstacle | null
  const access = mayLogIn(now, { ...person, ...USABLE_ACCOUNT }, application) as Obstacle | null
  const dates = granted ? [] : (['waiting', 'over'] as const).filter((one) => ways.some((way) => way.state === one))
  const closed = [account, access].filter((one) => one !== null)
  return [...closed, ...dates.map((one) => `grant.${one}` as const)]
}

/** Nothing is wrong with it. */
const USABLE_ACCOUNT = {
  enabled: true,
  activated: true,
  deletedAt: null,
  lockedAt: null,
  frozenFrom: null,
  validFrom: null,
  validUntil: null,
}

/** Every application that a person has, had or will have. @throws Refusal `application-grant.person-not-found`, `list.too-deep`. */
export async function personAccessPage(ctx: Context, query: Input<typeof accessOfPerson>['query']) {
  const { userId } = query
  await getVisiblePerson(ctx, userId)
  const filter = {
    ...toAccessQuery(ctx, userId),
    search: query.search.normalize('NFKC'),
    granted: query.granted === undefined ? null : query.granted === '1',
  }
  const total = await countReachable(ctx.db, filter)
  const rows = await pageOfReachable(ctx.db, filter, pageWindow(query, total))
  const records = rows.map((row) => {
    const { openToAll: _, grants: __, ...shown } = row
    const ways = toAccessPaths(ctx, row)
    return { ...shown, granted: row.state === 1 && ways.some(isRunning), ways }
  })
  return { records, ...total }
}
