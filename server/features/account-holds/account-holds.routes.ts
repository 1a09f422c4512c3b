import {
  confirmDormancyRun,
  dormancyRun,
  listDormantPeople,
  listFrozenPeople,
  listLockedPeople,
} from '#shared/contract/account-holds.ts'
import type { Api } from '../../platform/http/mount.ts'
import { confirmHeldRun, showDormancyRun } from './dormancy-run.service.ts'
import { dormantPeoplePage } from './dormant-people.service.ts'
import { frozenPeoplePage } from './frozen-people.service.ts'
import { lockedPeoplePage } from './locked-people.service.ts'

/** Lists of people who can't log in, and of the dormant, whom a login reactivates; their bulk actions are those of every list of people. */
export function mountAccountHolds(api: Api): void {
  api.mount(listLockedPeople, (ctx, { query }) => lockedPeoplePage(ctx, query))
  api.mount(listDormantPeople, (ctx, { query }) => dormantPeoplePage(ctx, query))
  api.mount(dormancyRun, (ctx) => showDormancyRun(ctx))
  api.mount(confirmDormancyRun, (ctx, { body }) => confirmHeldRun(ctx, body))
  api.mount(listFrozenPeople, (ctx, { query }) => frozenPeoplePage(ctx, query))
}
