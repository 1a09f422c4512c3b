import type { z } from 'zod'
import { ACCOUNT_ACTIONS, PASSWORD_ACTIONS, SHOWN_FIELDS } from '#shared/contract/audit-actions.ts'
import type {
  AuthenticationRecord,
  listMyAccountMaintenance,
  listMyAuthentications,
  listMyVisits,
  MaintenanceRecord,
  VisitRecord,
} from '#shared/contract/records.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { parseIpFilter } from '../../platform/list.ts'
import { type Caller, type Context, callerOf } from '../../platform/platform.ts'
import { parseUserAgent } from './client-details.service.ts'
import {
  type AuthenticationRow,
  authenticationsSource,
  type MaintenanceRow,
  maintenanceSource,
  type RecordSource,
  type RecordsFilter,
  type VisitRow,
  visitsSource,
} from './my-records.store.ts'

/** One list of records: the source of its rows and what the person sees of each. The same for the page and for the export. */
export type RecordList<Row extends { id: string; at: Date }, Shown> = {
  source: RecordSource
  oldestFirst: boolean
  shown: (row: Row) => Shown
}

type Paged = { pageIndex: number; pageSize: number }
/** The filters of a list, without the paging that its export does not have. */
type Filters<E> = Omit<Input<E> extends { query: infer Query } ? Query : never, keyof Paged>

type CommonQuery = { search: string; from?: string | undefined; to?: string | undefined; ip?: string | undefined }

const toRecordsFilter = (ctx: Context, { search, from, to, ip }: CommonQuery): RecordsFilter => ({
  userId: callerOf(ctx).userId,
  language: ctx.client.language,
  search: search.normalize('NFKC'),
  from: from ? new Date(from) : null,
  to: to ? new Date(to) : null,
  ip: parseIpFilter(ip),
})

const parseFlag = (value: '0' | '1' | undefined): boolean | null => (value === undefined ? null : value === '1')

export function toAuthenticationsList(
  ctx: Context,
  query: Filters<typeof listMyAuthentications>,
): RecordList<AuthenticationRow, z.infer<typeof AuthenticationRecord>> {
  const caller = callerOf(ctx)
  const { clientType, authType, result, onCampus, sort } = query
  return {
    source: authenticationsSource(ctx.db, {
      ...toRecordsFilter(ctx, query),
      clientType: clientType ?? null,
      authType: authType ?? null,
      succeeded: parseFlag(result),
      onCampus: parseFlag(onCampus),
    }),
    oldestFirst: sort === 'loginTime',
    shown: (row) => toAuthenticationRecord(row, caller),
  }
}

const toAuthenticationRecord = (
  { at, logoutAt, ssoSessionId, unusual = false, ...row }: AuthenticationRow,
  caller: Caller,
): z.infer<typeof AuthenticationRecord> => ({
  ...row,
  unusual,
  loginTime: at.toISOString(),
  logoutTime: toIso(logoutAt),
  current: ssoSessionId === caller.ssoSessionId,
})

export function toMaintenanceList(
  ctx: Context,
  query: Filters<typeof listMyAccountMaintenance>,
  only: 'password' | 'account',
): RecordList<MaintenanceRow, z.infer<typeof MaintenanceRecord>> {
  const { search, operation, by, sort } = query
  const known = only === 'password' ? PASSWORD_ACTIONS : ACCOUNT_ACTIONS
  const wanted = search.normalize('NFKC').toLowerCase()
  const wording = (action: string) => ctx.translate(ctx.client.language, `action.${action}`).toLowerCase()
  return {
    source: maintenanceSource(ctx.db, {
      ...toRecordsFilter(ctx, query),
      actions: operation === undefined ? known : [operation],
      worded: known.filter((action) => wording(action).includes(wanted)),
      by: by ?? null,
    }),
    oldestFirst: sort === 'maintenanceTime',
    shown: toMaintenanceRecord,
  }
}

function toMaintenanceRecord(row: MaintenanceRow): z.infer<typeof MaintenanceRecord> {
  const { browser, device } = parseUserAgent(row.userAgent)
  const by = row.isSelf ? 'self' : row.isSystem ? 'system' : 'other'
  return {
    id: row.id,
    maintenanceTime: row.at.toISOString(),
    action: row.action,
    by,
    maintainer: by === 'other' ? row.actorName : null,
    ip: row.ip,
    browser,
    device,
    changes: changesOf(row),
    reason: row.reason,
  }
}

/** Only fields meant for the person, as text: the record may contain more. */
function changesOf({ before, after }: MaintenanceRow): z.infer<typeof MaintenanceRecord>['changes'] {
  return SHOWN_FIELDS.flatMap((field) => {
    const values = { before: textOf(before?.[field]), after: textOf(after?.[field]) }
    return values.before === values.after ? [] : [{ field, ...values }]
  })
}

const MAX_TEXT_LENGTH = 500

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.map(textOf).join(', ').slice(0, MAX_TEXT_LENGTH) || null
  if (typeof value === 'object') return null
  return String(value).slice(0, MAX_TEXT_LENGTH)
}

export function toVisitsList(
  ctx: Context,
  query: Filters<typeof listMyVisits>,
): RecordList<VisitRow, z.infer<typeof VisitRecord>> {
  const { clientType, entry, onCampus, sort } = query
  return {
    source: visitsSource(ctx.db, {
      ...toRecordsFilter(ctx, query),
      clientType: clientType ?? null,
      entry: entry ?? null,
      onCampus: parseFlag(onCampus),
    }),
    oldestFirst: sort === 'accessTime',
    shown: ({ at, ...row }) => ({ ...row, accessTime: at.toISOString() }),
  }
}
