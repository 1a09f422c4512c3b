export { createRunStore, type RunRowBase } from './runs.store.ts'
