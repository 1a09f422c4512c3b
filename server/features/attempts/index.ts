export { forgetAttempts } from './attempts.jobs.ts'
export { countFailure, isBlocked, windowStart } from './attempts.service.ts'
export { addressFailuresOf, addressKey, type Counter, countOf, deleteCounter, findCounter } from './attempts.store.ts'
export { inTurn, type Place } from './fair-turns.ts'
