export { checkResponsible, notifyInterrupted, notifyResponsible } from './responsible.service.ts'
export { responsibleOf } from './responsible.store.ts'
export { describeFailure, loadFieldNames } from './run-words.service.ts'
export {
  createRunStore,
  type InterruptedRun,
  incrementRun,
  type RowPage,
  type RunRowBase,
  workOf,
} from './runs.store.ts'
export {
  checkSchedule,
  type DueSync,
  findNextRun,
  previewSchedule,
  startDue,
  tryEndInterrupted,
} from './schedule.service.ts'
