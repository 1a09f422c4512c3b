import { z } from 'zod'
import { Done, Empty, get, Id, post } from './endpoint.ts'
import { LoginLogFilters, VisitLogFilters } from './log-centre.ts'
import { TABLES } from './tables.ts'

/** A worksheet holds 1,048,576 rows including the header. */
export const MAX_LOG_EXPORT_ROWS = 1_000_000
/** How long a file is kept. */
export const LOG_EXPORT_DAYS = 7
/** Per person, including those in progress. */
export const MAX_LOG_EXPORTS = 10
export const LOG_EXPORT_TASK = 'log-export.run'

const Format = z.enum(['csv', 'xlsx'])
const columnsOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .array(z.enum(names))
    .min(1)
    .refine((columns) => new Set(columns).size === columns.length)
const file = {
  format: Format,
  /** IANA time zone of the times. */
  timeZone: z.string().min(1).max(60),
}

export const LogExport = z.object({
  id: Id,
  taskId: Id,
  log: z.enum(['login', 'visit']),
  format: Format,
  timeZone: z.string(),
  /** `reading` records are being collected · `writing` the file is being created. */
  state: z.enum(['queued', 'reading', 'writing', 'ready', 'failed', 'cancelled']),
  /** Percent. */
  percent: z.number().int(),
  rows: z.number().int(),
  /** The oldest record in the file; null: all records are included. */
  cutAt: z.iso.datetime().nullable(),
  bytes: z.number().int().nullable(),
  sha256: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** When the file will be deleted. */
  expiresAt: z.iso.datetime(),
})
export type LogExport = z.infer<typeof LogExport>

const SUMMARY = `exported in the background, the newest ${MAX_LOG_EXPORT_ROWS} records at most`
const errors = ['export.time-zone-unknown', 'log-export.too-many']

export const exportLogins = post(
  '/login_log/export/',
  'administrator:import',
  z.strictObject({ filters: LoginLogFilters, columns: columnsOf(TABLES['login-log']), ...file }),
  z.object({ id: Id }),
  { summary: `Logins and refused attempts ${SUMMARY}`, errors },
)
export const exportVisits = post(
  '/app_visit_log/export/',
  'administrator:import',
  z.strictObject({ filters: VisitLogFilters, columns: columnsOf(TABLES['app-visit-log']), ...file }),
  z.object({ id: Id }),
  { summary: `Visits ${SUMMARY}`, errors },
)

export const listLogExports = get(
  '/log_export/query/',
  'administrator:import',
  z.strictObject({ log: z.enum(['login', 'visit']) }),
  z.object({ records: z.array(LogExport) }),
  { summary: 'My exports of a log, newest first' },
)

const ExportPath = z.strictObject({ id: Id })

export const downloadLogExport = get('/log_export/{id}/download/', 'administrator:import', ExportPath, z.null(), {
  summary: 'The file of an export; its SHA-256 is in the list',
  errors: ['log-export.not-found'],
})
export const deleteLogExport = post('/log_export/{id}/delete/', 'administrator:import', Empty, Done, {
  query: ExportPath,
  summary: 'Delete an export of mine with its file; one in progress is cancelled',
  errors: ['log-export.not-found'],
})
