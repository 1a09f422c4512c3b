export { mountApplicationStatistics } from './application-statistics.routes.ts'
export { type LogName, listLogParts, listLogValues } from './log-hours.store.ts'
export { recountLateRecords, rollUp } from './roll-up.service.ts'
export { ALL_APPLICATIONS, findCountedUntil, type PeopleByState } from './roll-up.store.ts'
