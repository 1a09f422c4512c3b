import { listChanges, personChanges, previewRollback, rollBack } from '#shared/contract/change-history.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changesPage, personChangesPage, type Restorers } from './change-history.service.ts'
import { previewChangeRollback, rollBackChange } from './roll-back.service.ts'

/** The history of every change in the back office. @param restorers how each kind of target is rolled back, by its kind */
export function mountChangeHistory(api: Api, restorers: Restorers): void {
  api.mount(listChanges, (ctx, { query }) => changesPage(ctx, restorers, query))
  api.mount(personChanges, (ctx, { query }) => personChangesPage(ctx, query))
  api.mount(previewRollback, (ctx, { query }) => previewChangeRollback(ctx, restorers, query))
  api.mount(rollBack, (ctx, input) => rollBackChange(ctx, restorers, input))
}
