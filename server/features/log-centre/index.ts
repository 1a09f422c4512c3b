export { mountLogCentre } from './log-centre.routes.ts'
export { loginsBy, toLoginLine, toVisitLine, visitsBy } from './log-lines.service.ts'
export { ALL_PEOPLE, logBounds, peopleOf, searchLog } from './log-search.service.ts'
export type { LineRow, LoginRow, LogSource, VisitRow } from './log-search.store.ts'
