export { confirmSweep, startSweep, sweepTask } from './dormancy.jobs.ts'
