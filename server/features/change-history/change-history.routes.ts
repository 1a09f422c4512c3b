import { listChanges, personChanges, previewRollback, rollBack } from '#shared/contract/change-history.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changes, changesOfPerson, type Restorers } from './change-history.service.ts'
import { preview, restore } from './roll-back.service.ts'

/** The history of every change in the back office. @param restorers how each kind of target is put back, by its kind. */
export function mountChangeHistory(api: Api, restorers: Restorers): void {
  api.mount(listChanges, (ctx, { query }) => changes(ctx, restorers, query))
  api.mount(personChanges, (ctx, { query }) => changesOfPerson(ctx, query))
  api.mount(previewRollback, (ctx, { query }) => preview(ctx, restorers, query))
  api.mount(rollBack, (ctx, input) => restore(ctx, restorers, input))
}
