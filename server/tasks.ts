import { ENDING_HANDLERS } from './ending-handlers.ts'
import { deleteValuesTask } from './features/account-fields/index.ts'
import { batchChangeTask } from './features/account-verbs/index.ts'
import { bookSyncTask } from './features/address-books/index.ts'
import type { Task } from './features/background-tasks/index.ts'
import { syncTask } from './features/directory-syncs/index.ts'
import { sweepTask } from './features/dormancy/index.ts'
import { exportTask } from './features/log-exports/index.ts'
import { organizationTasks } from './features/organizations/index.ts'
import { removeMembersTask } from './features/roles/index.ts'
import { kickOutTask } from './features/sessions/index.ts'
import { importTasks } from './features/user-imports/index.ts'

/** The kinds of background tasks of every feature. */
export const tasks: readonly Task[] = [
  ...importTasks,
  ...organizationTasks(ENDING_HANDLERS),
  batchChangeTask,
  deleteValuesTask,
  removeMembersTask,
  sweepTask,
  kickOutTask,
  syncTask,
  bookSyncTask,
  exportTask,
]
