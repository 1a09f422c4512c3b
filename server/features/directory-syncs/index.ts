export { forgetSyncRows, startDueSyncs, syncTask } from './directory-syncs.jobs.ts'
export { mountDirectorySyncs } from './directory-syncs.routes.ts'
export { directorySyncRestorer } from './directory-syncs.service.ts'
