import { forgetActivations } from './features/activation/index.ts'
import { forgetApiCalls } from './features/api-registry/index.ts'
import { forgetReplayMarks } from './features/api-signature/index.ts'
import { forgetAttempts } from './features/attempts/index.ts'
import { forgetTasks } from './features/background-tasks/index.ts'
import { forgetUploads } from './features/files/index.ts'
import { forgetMessages } from './features/messages/index.ts'
import { addSearchForms, foldPeopleCounts, recountPeople } from './features/organizations/index.ts'
import { addRoleSearchForms } from './features/roles/index.ts'
import { forgetExpiredTrust } from './features/second-factors/index.ts'
import { endSessionsOfStopped, endStaleSessions, endWithdrawnAccess, purgeSessions } from './features/sessions/index.ts'
import { renewSigningKeys } from './features/signing-keys/index.ts'
import { forgetLogoutDeliveries, settleUnseenLogouts } from './features/single-logout/index.ts'
import { recountLateRecords, rollUp } from './features/statistics/index.ts'
import { forgetImportRows } from './features/user-imports/index.ts'
import { forgetCodes } from './features/verification-codes/index.ts'
import { defineJob, type Job } from './platform/jobs.ts'
import { upkeepJobs } from './platform/upkeep.ts'
import { forgetTokens } from './protocols/oidc/index.ts'

/** The timetable of the whole product: every feature's timed work, with when it is due. */
export const jobs: readonly Job[] = [
  ...upkeepJobs,
  defineJob({ name: 'activations.forget', cron: '*/5 * * * *', run: forgetActivations }),
  defineJob({ name: 'api-calls.forget', cron: '15 1 * * *', run: forgetApiCalls }),
  defineJob({ name: 'attempts.forget', cron: '*/5 * * * *', run: forgetAttempts }),
  defineJob({ name: 'background-tasks.forget', cron: '30 1 * * *', run: forgetTasks }),
  defineJob({ name: 'files.forget-uploads', cron: '10 1 * * *', run: forgetUploads }),
  defineJob({ name: 'replay-marks.forget', cron: '*/5 * * * *', run: forgetReplayMarks }),
  defineJob({ name: 'sessions.end-stale', cron: '* * * * *', run: endStaleSessions }),
  defineJob({ name: 'sessions.end-stopped', cron: '* * * * *', run: endSessionsOfStopped }),
  defineJob({ name: 'sessions.end-withdrawn', cron: '* * * * *', run: endWithdrawnAccess }),
  defineJob({ name: 'sessions.purge', cron: '40 0 * * *', run: purgeSessions }),
  defineJob({ name: 'messages.forget', cron: '10 1 * * *', run: forgetMessages }),
  defineJob({ name: 'oidc-tokens.forget', cron: '*/5 * * * *', run: forgetTokens }),
  defineJob({ name: 'organizations.add-search-forms', cron: '* * * * *', run: addSearchForms }),
  defineJob({ name: 'roles.add-search-forms', cron: '* * * * *', run: addRoleSearchForms }),
  defineJob({ name: 'people-counts.fold', cron: '* * * * *', run: foldPeopleCounts }),
  defineJob({ name: 'people-counts.recount', cron: '20 2 * * *', run: recountPeople }),
  defineJob({ name: 'signing-keys.renew', cron: '20 1 * * *', run: renewSigningKeys }),
  defineJob({ name: 'statistics.recount', cron: '35 1 * * *', run: recountLateRecords }),
  defineJob({ name: 'statistics.roll-up', cron: '* * * * *', run: rollUp }),
  defineJob({ name: 'trusted-browsers.forget', cron: '10 1 * * *', run: forgetExpiredTrust }),
  defineJob({ name: 'user-imports.forget', cron: '20 2 * * *', run: forgetImportRows }),
  defineJob({ name: 'verification-codes.forget', cron: '*/5 * * * *', run: forgetCodes }),
  defineJob({ name: 'single-logout.settle', cron: '* * * * *', run: settleUnseenLogouts }),
  defineJob({ name: 'single-logout.forget', cron: '50 0 * * *', run: forgetLogoutDeliveries }),
]
