import { isDeepStrictEqual } from 'node:util'
import type { previewRollback, rollBack } from '#shared/contract/change-history.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { type ChangeSide, type Restorer, recordAudit, type TargetState } from '../records/index.ts'
import { errors } from './change-history.errors.ts'
import { type Restorers, restorableState } from './change-history.service.ts'
import { findChange } from './change-history.store.ts'

type RollbackTarget = { id: string; at: string; side: ChangeSide }

/** @throws Refusal `change.not-found`, `change.not-restorable`. */
async function getWantedState(ctx: Context, restorers: Restorers, { id, at, side }: RollbackTarget) {
  const row = await findChange(ctx.db, { id, at: new Date(at) })
  if (!row) throw errors['change.not-found']()
  const found = restorableState(restorers, row, side)
  const restorer = restorers[row.targetKind]
  if (!found || !restorer) throw errors['change.not-restorable']()
  return { wanted: found.state, id: found.id, restorer, row }
}

/** @throws Refusal `change.target-gone`. */
async function getCurrentState(ctx: Context, restorer: Restorer, id: string): Promise<TargetState> {
  const current = (await restorer.current(ctx, [id])).get(id)
  if (!current) throw errors['change.target-gone']()
  return current
}

/** A dry run of a rollback. */
export async function previewChangeRollback(
  ctx: Context,
  restorers: Restorers,
  query: Input<typeof previewRollback>['query'],
): Promise<Output<typeof previewRollback>> {
  const { wanted, restorer, id } = await getWantedState(ctx, restorers, query)
  const { name, version, snapshot } = await getCurrentState(ctx, restorer, id)
  const missing = (await restorer.missing?.(ctx, id, wanted)) ?? []
  return { targetName: name, version, current: snapshot, wanted, missing }
}

/**
 * Rolls a target back to a former state: a change like any other, with its own audit record, so that it can be rolled back too.
 * @throws Refusal of the contract, and those of the feature for what its rules no longer allow; nothing is written then.
 */
export async function rollBackChange(
  ctx: Context,
  restorers: Restorers,
  { query, body }: Input<typeof rollBack>,
): Promise<Output<typeof rollBack>> {
  const { wanted, restorer, id, row } = await getWantedState(ctx, restorers, { ...body, id: query.id })
  return await transaction(ctx, async (inner) => {
    const before = await getCurrentState(inner, restorer, id)
    if (before.version !== body.version) throw common['version.conflict']({ data: { current: before.snapshot } })
    if (isDeepStrictEqual(before.snapshot, wanted)) return { changed: false }
    await restorer.restore(inner, id, wanted, body.version)
    const after = await getCurrentState(inner, restorer, id)
    if (isDeepStrictEqual(before.snapshot, after.snapshot)) return { changed: false }
    await recordAudit(inner, {
      action: 'change.roll-back',
      targetKind: row.targetKind,
      targetId: row.targetId,
      ...(row.userId && { userId: row.userId }),
      before: before.snapshot,
      after: after.snapshot,
      reason: body.reason,
    })
    return { changed: true }
  })
}
