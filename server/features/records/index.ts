export { type ClientDetails, loadClientDetails, parseUserAgent } from './client-details.service.ts'
export {
  clientAddress,
  invalidateIpRanges,
  type RangeMatch,
  rangeLookup,
  rangesOf,
} from './ip-ranges-lookup.service.ts'
export { mountMyRecords } from './my-records.routes.ts'
export { getMyLogin } from './my-records.service.ts'
export { knownWording } from './my-records-columns.rules.ts'
export {
  type ExportColumn,
  type ExportWords,
  exportWords,
  toTimeFormat,
  zonedTitle,
} from './my-records-export.service.ts'
export {
  insertPastAudits,
  insertPastLogins,
  insertPastVisits,
  type PastAudit,
  type PastLogin,
  type PastVisit,
} from './past-records.store.ts'
export {
  type AuditInput,
  recordAudit,
  recordAudits,
  recordDenied,
  recordLogin,
  recordLogout,
  recordReading,
  recordRefusedRequest,
  recordRefusedVisit,
  recordVisit,
} from './records.service.ts'
export { insertVisitsText } from './records.store.ts'
export type { ChangeLine, ChangeSide, MissingReference, Restorer, Snapshot, TargetState } from './restorer.types.ts'
export { isReasonVisible } from './visible-reasons.rules.ts'
