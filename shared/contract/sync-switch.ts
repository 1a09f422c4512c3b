import { z } from 'zod'
import { SyncSchedule } from './directory-syncs.ts'
import { get, post } from './endpoint.ts'

export const previewSyncSchedule = get(
  '/directory_sync_schedule/preview/',
  'superUser',
  SyncSchedule,
  z.object({ runs: z.array(z.iso.datetime()) }),
  {
    summary: 'The next five times of a schedule',
    errors: ['directory-sync.bad-schedule', 'directory-sync.bad-zone'],
  },
)

/** Settings document `directorySyncs`. */
export const DirectorySyncSettings = z.strictObject({
  /** No run writes anything, scheduled or manual; dry runs continue. */
  isPaused: z.boolean().default(false),
})

export const findSyncSwitch = get(
  '/directory_sync_switch/query/',
  'superUser',
  z.strictObject({}),
  DirectorySyncSettings,
  {
    summary: 'Whether all syncs are paused',
  },
)

export const updateSyncSwitch = post(
  '/directory_sync_switch/update/',
  'superUser',
  z.strictObject({ isPaused: z.boolean() }),
  DirectorySyncSettings,
  { summary: 'Pause or resume all syncs', errors: ['settings.set-by-file'] },
)
