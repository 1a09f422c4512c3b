export { confirmSweep, startSweep, sweepTask } from './dormancy.jobs.ts'
export { isDormantSoon, nextTermEnd, type Terms } from './dormancy.store.ts'
export { notifyOfDormancy } from './notices.service.ts'
export { loadTerms } from './terms.service.ts'
