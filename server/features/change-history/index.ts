export type { Current, Missing, Restorer, Snapshot } from './restorer.ts'
