import { defineJob } from './jobs.ts'
import { ensureRecordPartitions } from './partitions.ts'

/** Maintenance of the platform's own tables. */
export const upkeepJobs = [
  defineJob({ name: 'ephemeral-state.sweep', cron: '* * * * *', run: ({ state }) => state.sweep() }),
  defineJob({
    name: 'record-partitions.ensure',
    cron: '10 0 * * *',
    run: ({ sql, now }) => ensureRecordPartitions(sql, now()),
  }),
]
