export { mountChangeHistory } from './change-history.routes.ts'
export type { Current, Line, Missing, Restorer, Side, Snapshot } from './restorer.ts'
