import type { AccessPath, accessOfPerson, Obstacle } from '#shared/contract/application-grants.ts'
import type { SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers, inScope, seesEverything } from '../access/index.ts'
import {
  findRuleDenials,
  judgeApplication,
  judgeLogin,
  type LoginDenial,
  refusedApplications,
  rulesAgainst,
} from '../attempts/index.ts'
import { errors } from './application-grants.errors.ts'
import {
  type AccessPathRow,
  type AccessRow,
  countGrantsOf,
  findAccess,
  findPerson,
  type PersonRow,
  pageOfReachable,
} from './effective-access.store.ts'

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

const toAccessPath = (ctx: Context, path: AccessPathRow): AccessPath => ({
  ...path,
  validFrom: toIsoTime(path.validFrom),
  validUntil: toIsoTime(path.validUntil),
  grantedAt: toIsoTime(path.grantedAt),
  grantedBy: forSuperUsers(ctx, path.grantedBy),
})

const toAccessPaths = (ctx: Context, { openToAll, paths }: AccessRow): AccessPath[] => [
  ...(openToAll ? [OPEN_TO_ALL] : []),
  ...paths.map((path) => toAccessPath(ctx, path)),
]

const isRunning = ({ state }: AccessPath) => state === 'running'

async function getVisiblePerson(ctx: Context, userId: string): Promise<PersonRow> {
  const person = await findPerson(ctx.db, userId, inScope(ctx, ctx.db`u.organization_id`), ctx.now())
  if (!person) throw errors['application-grant.person-not-found']()
  return person
}

/** Departments that the caller does not administer are left unnamed. */
const toAccessQuery = (ctx: Context, userId: string) => ({
  userId,
  now: ctx.now(),
  language: ctx.client.language,
  maySee: (id: SqlFragment) => inScope(ctx, id),
})

/**
 * Why a person has access to an application, by every path that grants it, or why not.
 * @throws Refusal `application-grant.person-not-found`, also for a person out of the caller's scope;
 *   `application-grant.application-not-found`.
 */
export async function getEffectiveAccess(ctx: Context, userId: string, applicationId: string) {
  const person = await getVisiblePerson(ctx, userId)
  const asked = toAccessQuery(ctx, userId)
  const access = await findAccess(ctx.db, asked, applicationId)
  if (!access) throw errors['application-grant.application-not-found']()
  const paths = toAccessPaths(ctx, access)
  const ruled = rulesAgainst(await findRuleDenials(ctx, userId), access.appId).everywhere.length > 0
  const denials = judgeLogin(ctx.now(), person, ruled)
  const obstacles = obstaclesOf(denials, access.state, paths)
  const isSuper = seesEverything(ctx)
  return {
    applicationId,
    appId: access.appId,
    application: access.application,
    userId,
    account: person.account,
    person: person.person,
    granted: obstacles.length === 0,
    paths,
    obstacles,
    until: latestEnd(denials),
    otherGrants: isSuper ? (await countGrantsOf(ctx.db, applicationId)) - access.grants : null,
  }
}

/** Why logins are refused, what the gate says about the application, and what is wrong with the grants if none is in force. */
function obstaclesOf(denials: readonly LoginDenial[], state: 0 | 1, paths: readonly AccessPath[]): Obstacle[] {
  const granted = paths.some(isRunning)
  const account = denials.map(({ reason }) => reason as Obstacle)
  const application = judgeApplication({ enabled: state === 1, granted, isPortal: false }) as Obstacle | null
  const dates = granted ? [] : (['waiting', 'over'] as const).filter((one) => paths.some((path) => path.state === one))
  return [...account, ...(application ? [application] : []), ...dates.map((one) => `grant.${one}` as const)]
}

/** When all of them will have expired; null if one never does. */
function latestEnd(denials: readonly LoginDenial[]): string | null {
  const ends = denials.map(({ until }) => until?.getTime() ?? Number.POSITIVE_INFINITY)
  const last = Math.max(...ends, Number.NEGATIVE_INFINITY)
  return Number.isFinite(last) ? new Date(last).toISOString() : null
}

/**
 * Every application that a person has, had or will have access to. @throws Refusal `application-grant.person-not-found`, `list.too-deep`.
 */
export async function personAccessPage(ctx: Context, query: Input<typeof accessOfPerson>['query']) {
  const { userId } = query
  const person = await getVisiblePerson(ctx, userId)
  const ruled = await findRuleDenials(ctx, userId)
  const refused = refusedApplications(ruled)
  const filter = {
    ...toAccessQuery(ctx, userId),
    search: query.search.normalize('NFKC'),
    granted: query.granted === undefined ? null : query.granted === '1',
    mayLogIn: judgeLogin(ctx.now(), person, refused === null).length === 0,
    refusedAppIds: refused ?? [],
  }
  const { records: rows, ...total } = await pageOfReachable(ctx.db, filter, query)
  const records = rows.map((row) => {
    const { openToAll: _, grants: __, ...shown } = row
    const paths = toAccessPaths(ctx, row)
    const isRuledOut = rulesAgainst(ruled, row.appId).everywhere.length > 0
    const obstacles = obstaclesOf(judgeLogin(ctx.now(), person, isRuledOut), row.state, paths)
    return { ...shown, granted: obstacles.length === 0, paths, obstacles }
  })
  return { records, ...total }
}
