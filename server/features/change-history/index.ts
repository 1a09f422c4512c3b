export { mountChangeHistory } from './change-history.routes.ts'
export type { Current, Missing, Restorer, Snapshot } from './restorer.ts'
