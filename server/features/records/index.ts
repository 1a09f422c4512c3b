export { agentOf, type ClientDetails, clientDetails } from './client-details.ts'
export { mountMyRecords } from './my-records.routes.ts'
export { myLogin } from './my-records.service.ts'
export {
  type Audit,
  recordAudit,
  recordAudits,
  recordDenied,
  recordLogin,
  recordLogout,
  recordRefusedRequest,
  recordVisit,
} from './records.service.ts'
export { isReasonTold } from './told-reasons.ts'
