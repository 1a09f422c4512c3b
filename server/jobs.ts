import { hashIdNumbers } from './features/account-fields/index.ts'
import { endLocks } from './features/account-holds/index.ts'
import { purgeActivations } from './features/activation/index.ts'
import { forgetBookRows, startDueBooks } from './features/address-books/index.ts'
import { deleteOldApiCalls } from './features/api-registry/index.ts'
import { deleteExpiredReplayMarks } from './features/api-signature/index.ts'
import { purgeAttempts } from './features/attempts/index.ts'
import { deleteOldTasks } from './features/background-tasks/index.ts'
import { forgetSyncRows, startDueSyncs, startEventSyncs } from './features/directory-syncs/index.ts'
import { SWEEP_HOUR, startSweep } from './features/dormancy/index.ts'
import { purgeUploads } from './features/files/index.ts'
import { deleteOldExports } from './features/log-exports/index.ts'
import { deleteOldInsights, lookForInsights } from './features/log-insights/index.ts'
import { purgeMessages } from './features/messages/index.ts'
import { addOrganizationSearchKeys, foldPeopleCounts, recountPeople } from './features/organizations/index.ts'
import { sealRecords } from './features/record-evidence/index.ts'
import { dropExpiredRecords, RETENTION_CRON, RETENTION_JOB } from './features/record-retention/index.ts'
import { addRoleSearchKeys } from './features/roles/index.ts'
import { purgeTrustedDevices } from './features/second-factors/index.ts'
import {
  endSessionsOfBlockedUsers,
  endStaleSessions,
  purgeSessions,
  revokeWithdrawnAccess,
} from './features/sessions/index.ts'
import { renewSigningKeys } from './features/signing-keys/index.ts'
import { failUnseenLogouts, purgeLogoutDeliveries } from './features/single-logout/index.ts'
import { forgetEvents } from './features/source-events/index.ts'
import { recountLateRecords, rollUp } from './features/statistics/index.ts'
import { purgeUnconfirmedChanges } from './features/unconfirmed-changes/index.ts'
import { purgeImportRows } from './features/user-imports/index.ts'
import { purgeCodes } from './features/verification-codes/index.ts'
import { defineJob, type Job } from './platform/jobs.ts'
import { upkeepJobs } from './platform/platform.jobs.ts'
import { purgeTokens } from './protocols/oidc/index.ts'

/** The schedule of the whole product: every feature's timed jobs. */
export const jobs: readonly Job[] = [
  ...upkeepJobs,
  defineJob({ name: 'account-fields.hash-id-numbers', cron: '* * * * *', run: hashIdNumbers }),
  defineJob({ name: 'account-holds.end-locks', cron: '* * * * *', run: endLocks }),
  defineJob({ name: 'activations.forget', cron: '*/5 * * * *', run: purgeActivations }),
  defineJob({ name: 'api-calls.forget', cron: '15 1 * * *', run: deleteOldApiCalls }),
  defineJob({ name: 'attempts.forget', cron: '*/5 * * * *', run: purgeAttempts }),
  defineJob({ name: 'background-tasks.forget', cron: '30 1 * * *', run: deleteOldTasks }),
  defineJob({ name: 'address-books.forget', cron: '55 1 * * *', run: forgetBookRows }),
  defineJob({ name: 'address-books.start-due', cron: '* * * * *', run: startDueBooks }),
  defineJob({ name: 'directory-syncs.forget', cron: '50 1 * * *', run: forgetSyncRows }),
  defineJob({ name: 'directory-syncs.start-due', cron: '* * * * *', run: startDueSyncs }),
  defineJob({ name: 'directory-syncs.start-by-events', cron: '* * * * *', run: startEventSyncs }),
  defineJob({ name: 'dormancy.sweep', cron: `0 ${SWEEP_HOUR} * * *`, run: startSweep }),
  defineJob({ name: 'files.forget-uploads', cron: '10 1 * * *', run: purgeUploads }),
  defineJob({ name: 'record-evidence.seal', cron: '* * * * *', run: sealRecords }),
  defineJob({ name: RETENTION_JOB, cron: RETENTION_CRON, run: dropExpiredRecords }),
  defineJob({ name: 'replay-marks.forget', cron: '*/5 * * * *', run: deleteExpiredReplayMarks }),
  defineJob({ name: 'sessions.end-stale', cron: '* * * * *', run: endStaleSessions }),
  defineJob({ name: 'sessions.end-stopped', cron: '* * * * *', run: endSessionsOfBlockedUsers }),
  defineJob({ name: 'sessions.end-withdrawn', cron: '* * * * *', run: revokeWithdrawnAccess }),
  defineJob({ name: 'sessions.purge', cron: '40 0 * * *', run: purgeSessions }),
  defineJob({ name: 'log-exports.forget', cron: '25 * * * *', run: deleteOldExports }),
  defineJob({ name: 'log-insights.look', cron: '* * * * *', run: lookForInsights }),
  defineJob({ name: 'log-insights.forget', cron: '40 1 * * *', run: deleteOldInsights }),
  defineJob({ name: 'messages.forget', cron: '10 1 * * *', run: purgeMessages }),
  defineJob({ name: 'oidc-tokens.forget', cron: '*/5 * * * *', run: purgeTokens }),
  defineJob({ name: 'organizations.add-search-forms', cron: '* * * * *', run: addOrganizationSearchKeys }),
  defineJob({ name: 'roles.add-search-forms', cron: '* * * * *', run: addRoleSearchKeys }),
  defineJob({ name: 'people-counts.fold', cron: '* * * * *', run: foldPeopleCounts }),
  defineJob({ name: 'people-counts.recount', cron: '20 2 * * *', run: recountPeople }),
  defineJob({ name: 'signing-keys.renew', cron: '20 1 * * *', run: renewSigningKeys }),
  defineJob({ name: 'source-events.forget', cron: '45 1 * * *', run: forgetEvents }),
  defineJob({ name: 'statistics.recount', cron: '35 1 * * *', run: recountLateRecords }),
  defineJob({ name: 'statistics.roll-up', cron: '* * * * *', run: rollUp }),
  defineJob({ name: 'trusted-browsers.forget', cron: '10 1 * * *', run: purgeTrustedDevices }),
  defineJob({ name: 'unconfirmed-changes.forget', cron: '25 1 * * *', run: purgeUnconfirmedChanges }),
  defineJob({ name: 'user-imports.forget', cron: '20 2 * * *', run: purgeImportRows }),
  defineJob({ name: 'verification-codes.forget', cron: '*/5 * * * *', run: purgeCodes }),
  defineJob({ name: 'single-logout.settle', cron: '* * * * *', run: failUnseenLogouts }),
  defineJob({ name: 'single-logout.forget', cron: '50 0 * * *', run: purgeLogoutDeliveries }),
]
