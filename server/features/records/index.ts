export { type ClientDetails, clientDetails } from './client-details.ts'
export { recordAudit, recordDenied, recordLogin, recordLogout, recordVisit } from './records.service.ts'
