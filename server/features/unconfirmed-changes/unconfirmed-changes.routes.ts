import { confirmChange, listUnconfirmedChanges, takeBackChange } from '#shared/contract/unconfirmed-changes.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Restorer } from '../records/index.ts'
import { takeBack } from './going-back.service.ts'
import { confirm, describeUnconfirmed } from './unconfirmed-changes.service.ts'

/** Changes that lock somebody out, until they are confirmed. @param restorers how each kind of target is rolled back, by its kind */
export function mountUnconfirmedChanges(api: Api, restorers: Readonly<Record<string, Restorer>>): void {
  api.mount(listUnconfirmedChanges, (ctx) => describeUnconfirmed(ctx, restorers))
  api.mount(confirmChange, (ctx, { query }) => confirm(ctx, query.id))
  api.mount(takeBackChange, (ctx, { query }) => takeBack(ctx, restorers, query.id))
}
