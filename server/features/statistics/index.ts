export { mountApplicationStatistics } from './application-statistics.routes.ts'
export { facetColumns, groupByFacets, isRolledUp, type LogName, SHOWN_FACETS } from './log-facets.store.ts'
export { listLogParts, listLogValues } from './log-hours.store.ts'
export { type FacetCondition, findCountedPeriod, listOccurrences, type Occurrences } from './log-occurrences.store.ts'
export { figuresKeptSince, LOG_HOURS_TOPIC, recountLateRecords, rollUp } from './roll-up.service.ts'
export {
  ALL_APPLICATIONS,
  deleteCallCounts,
  findCountedUntil,
  type HourRange,
  type PeopleByState,
} from './roll-up.store.ts'
