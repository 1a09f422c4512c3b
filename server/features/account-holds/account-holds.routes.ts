import { listDormantPeople, listFrozenPeople, listLockedPeople } from '#shared/contract/account-holds.ts'
import type { Api } from '../../platform/http/mount.ts'
import { dormantPeoplePage } from './dormant-people.service.ts'
import { frozenPeoplePage } from './frozen-people.service.ts'
import { lockedPeoplePage } from './locked-people.service.ts'

/** Lists of the people whom something keeps from logging in, and of the dormant, whom a login wakes; the verbs over them are those of every list of people. */
export function mountAccountHolds(api: Api): void {
  api.mount(listLockedPeople, (ctx, { query }) => lockedPeoplePage(ctx, query))
  api.mount(listDormantPeople, (ctx, { query }) => dormantPeoplePage(ctx, query))
  api.mount(listFrozenPeople, (ctx, { query }) => frozenPeoplePage(ctx, query))
}
