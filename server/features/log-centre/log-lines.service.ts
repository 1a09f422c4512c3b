import { validate as isUuid } from 'uuid'
import type { RuleOutcome } from '#shared/contract/access-rules.ts'
import type { LoginLogLine, searchLogins, searchVisits, VisitLogLine } from '#shared/contract/log-centre.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { parseIpFilter } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { seesEverything } from '../access/index.ts'
import { recordReading } from '../records/index.ts'
import { listDeliveries } from '../single-logout/index.ts'
import { errors } from './log-centre.errors.ts'
import type { SaidFilter } from './log-filter.types.ts'
import { findNamesOfIds } from './log-names.store.ts'
import { ALL_PEOPLE, peopleOf, searchLog } from './log-search.service.ts'
import { findLine, findSession, type LineRow, type LogSource } from './log-search.store.ts'
import { type LoginRow, loginSource, type VisitRow, visitSource } from './record-sources.store.ts'
import { withSearch } from './search-slots.service.ts'

export type LoginQuery = Omit<Input<typeof searchLogins>['query'], 'after' | 'pageSize'>
export type VisitQuery = Omit<Input<typeof searchVisits>['query'], 'after' | 'pageSize'>

const toFlag = (value: '0' | '1' | undefined): boolean | null => (value === undefined ? null : value === '1')

const toCommonFilter = (query: LoginQuery | VisitQuery) => ({
  userId: query.userId ?? null,
  applicationId: query.applicationId ?? null,
  ip: parseIpFilter(query.ip),
  ipRange: query.ipRange ?? null,
  onCampus: toFlag(query.onCampus),
  clientType: query.clientType ?? null,
  session: query.session ?? null,
  succeeded: toFlag(query.result),
  reason: query.reason ?? null,
  without: query.without ?? [],
})

/** What the wanted rule said about a login, as stored in the record. */
function toSaid({ rule, ruleOutcome }: LoginQuery): SaidFilter | null {
  if (!rule && !ruleOutcome) return null
  const outcome = ruleOutcome?.replace(/^would-/, '') as RuleOutcome | undefined
  const mode = ruleOutcome === outcome ? 'on' : 'report'
  return { ...(rule && { rule }), ...(outcome && { outcome, mode }) }
}

export const loginsBy = (query: LoginQuery): LogSource =>
  loginSource({
    ...toCommonFilter(query),
    account: query.account ?? null,
    accountIs: query.accountIs ?? null,
    requestId: query.requestId ?? null,
    authType: query.authType ?? null,
    factor: query.factor ?? null,
    browser: query.browser ?? null,
    device: query.device ?? null,
    said: toSaid(query),
  })

export const visitsBy = (query: VisitQuery): LogSource =>
  visitSource({ ...toCommonFilter(query), entry: query.entry ?? null, protocol: query.protocol ?? null })

export const toLoginLine = ({ at, logoutAt, rules, ...row }: LoginRow): LoginLogLine => ({
  ...row,
  at: at.toISOString(),
  logoutAt: toIso(logoutAt),
  rules: rules ?? [],
})

export const toVisitLine = ({ at, ...row }: VisitRow): VisitLogLine => ({ ...row, at: at.toISOString() })

const searchBy = async (
  ctx: Context,
  query: Input<typeof searchLogins | typeof searchVisits>['query'],
  source: LogSource,
) => ({
  source,
  people: await peopleOf(ctx, { ...ALL_PEOPLE, ...query }),
  from: query.from,
  to: query.to,
  after: query.after,
  pageSize: query.pageSize,
  language: ctx.client.language,
})

type NamingQuery = Pick<LoginQuery, 'userId' | 'organizationId' | 'categoryId'> &
  Partial<Pick<LoginQuery, 'applicationId' | 'rule'>> & { without?: { value: string }[] | undefined }

/** The names of the ids in the filters: an excluded person is in no record that is found. */
export async function namesIn(ctx: Context, query: NamingQuery): Promise<Record<string, string>> {
  const { userId, organizationId, categoryId, applicationId, rule, without = [] } = query
  const values = [userId, organizationId, categoryId, applicationId, rule, ...without.map(({ value }) => value)]
  const ids = values.filter((value) => value !== undefined && isUuid(value))
  const rows = ids.length > 0 ? await findNamesOfIds(ctx, ids as string[]) : []
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}

/** @throws Refusal `service.busy`. */
export async function findLogins(ctx: Context, query: Input<typeof searchLogins>['query']) {
  await recordReading(ctx, { what: 'login-log', userId: query.userId ?? null })
  const { records, ...rest } = await withSearch(async () =>
    searchLog<LoginRow>(ctx, await searchBy(ctx, query, loginsBy(query))),
  )
  return { records: records.map(toLoginLine), ...rest, names: await namesIn(ctx, query) }
}

/** @throws Refusal `service.busy`. */
export async function findVisits(ctx: Context, query: Input<typeof searchVisits>['query']) {
  await recordReading(ctx, { what: 'app-visit-log', userId: query.userId ?? null })
  const { records, ...rest } = await withSearch(async () =>
    searchLog<VisitRow>(ctx, await searchBy(ctx, query, visitsBy(query))),
  )
  return { records: records.map(toVisitLine), ...rest, names: await namesIn(ctx, query) }
}

const EVERYTHING = { search: '', without: [] } satisfies LoginQuery & VisitQuery

/** @throws Refusal `record.not-found`, also for a record about somebody whom the caller does not administer. */
export async function lineBy<Row extends LineRow>(ctx: Context, key: string, source: LogSource): Promise<Row> {
  const people = await peopleOf(ctx, ALL_PEOPLE)
  const id = key.slice(28)
  if (!people || !id) throw errors['record.not-found']()
  const wanted = { at: key.slice(0, 27), id, people, language: ctx.client.language }
  const [row] = await findLine<Row>(ctx.db, source, wanted)
  if (!row) throw errors['record.not-found']()
  return row
}

/** Only super users see which applications were told, as elsewhere. */
async function aftermathOf(ctx: Context, id: string | null) {
  const found = id === null ? null : await findSession(ctx.db, id)
  const isTold = id !== null && seesEverything(ctx)
  return {
    sessionState: found && {
      openedAt: found.openedAt.toISOString(),
      endedAt: toIso(found.endedAt),
      endReason: found.endReason,
    },
    deliveries: isTold ? await listDeliveries(ctx, { ids: [id] }) : [],
  }
}

export async function getLogin(ctx: Context, key: string) {
  const row = await lineBy<LoginRow>(ctx, key, loginsBy(EVERYTHING))
  await recordReading(ctx, { what: 'login-log', userId: row.userId })
  return { ...toLoginLine(row), ...(await aftermathOf(ctx, row.session)) }
}

export async function getVisit(ctx: Context, key: string) {
  const row = await lineBy<VisitRow>(ctx, key, visitsBy(EVERYTHING))
  await recordReading(ctx, { what: 'app-visit-log', userId: row.userId })
  return { ...toVisitLine(row), ...(await aftermathOf(ctx, row.session)) }
}
