import type { z } from 'zod'
import { CHANGE_KINDS, type Change, type listChanges, type personChanges } from '#shared/contract/change-history.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { agentOf } from '../records/index.ts'
import {
  type ChangeFilter,
  type ChangeRow,
  type Cursor,
  changesAfter,
  namesOfTargets,
  personExists,
} from './change-history.store.ts'
import { keepsWholeState } from './complete-states.ts'
import type { Restorer, Snapshot } from './restorer.ts'

export type Restorers = Readonly<Record<string, Restorer>>

function cursorOf(text: string | undefined): Cursor | null {
  const [at, id] = text?.split('_') ?? []
  return at && id ? { at, id } : null
}

const isObject = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The state on one side of a change, when it is complete and its kind can be put back. */
export function restorableState(restorers: Restorers, row: ChangeRow, side: 'before' | 'after'): Snapshot | null {
  if (!restorers[row.targetKind] || !keepsWholeState(row.targetKind, row.action)) return null
  const state = row[side]
  return isObject(state) ? state : null
}

function shown(restorers: Restorers, row: ChangeRow, name: string | undefined): z.input<typeof Change> {
  const { actorId, actorAccount, actorName } = row
  const person = actorId && actorAccount !== null && actorName !== null
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    targetKind: row.targetKind,
    targetId: row.targetId,
    targetName: name ?? null,
    actor: person ? { id: actorId, account: actorAccount, name: actorName } : null,
    actorWord: person ? null : row.actor,
    reason: row.reason,
    ip: row.ip,
    browser: agentOf(row.userAgent).browser,
    device: agentOf(row.userAgent).device,
    requestId: row.requestId,
    before: isObject(row.before) ? row.before : null,
    after: isObject(row.after) ? row.after : null,
    restorable: {
      before: restorableState(restorers, row, 'before') !== null,
      after: restorableState(restorers, row, 'after') !== null,
    },
  }
}

async function page(ctx: Context, restorers: Restorers, filter: ChangeFilter, pageSize: number) {
  const rows = await changesAfter(ctx.db, { ...filter, limit: pageSize + 1 })
  const records = rows.slice(0, pageSize)
  const byKind = Map.groupBy(records, ({ targetKind }) => targetKind)
  const named = [...byKind].map(async ([kind, some]) => {
    const ids = [...new Set(some.map(({ targetId }) => targetId))]
    return [kind, await namesOfTargets(ctx.db, kind, ids)] as const
  })
  const names = new Map(await Promise.all(named))
  const last = records.at(-1)
  return {
    records: records.map((row) => shown(restorers, row, names.get(row.targetKind)?.get(row.targetId))),
    next: last && rows.length > pageSize ? `${last.place}_${last.id}` : null,
  }
}

/** What was changed in the back office. */
export async function changes(
  ctx: Context,
  restorers: Restorers,
  query: Input<typeof listChanges>['query'],
): Promise<Output<typeof listChanges>> {
  const { targetKind, targetId = null, from, to, cursor, pageSize } = query
  const filter = {
    kinds: targetKind ? [targetKind] : CHANGE_KINDS,
    targetId,
    userId: null,
    from: from ? new Date(from) : null,
    to: to ? new Date(to) : null,
    cursor: cursorOf(cursor),
    limit: 0,
  }
  return await page(ctx, restorers, filter, pageSize)
}

/** What changed a person; an administrator of some organisations learns nothing of people elsewhere, nor who and where others are. */
export async function changesOfPerson(
  ctx: Context,
  { userId, cursor, pageSize }: Input<typeof personChanges>['query'],
): Promise<Output<typeof personChanges>> {
  if (!(await personExists(ctx.db, userId, inScope(ctx, ctx.db`u.organization_id`)))) return { records: [], next: null }
  const filter = { kinds: [], targetId: null, userId, from: null, to: null, cursor: cursorOf(cursor), limit: 0 }
  const found = await page(ctx, {}, filter, pageSize)
  const caller = callerOf(ctx)
  if (caller.isSuperUser) return found
  const known = [userId, caller.userId]
  const nobody = { actor: null, actorWord: 'administrator', ip: null, browser: '', device: '' }
  return {
    ...found,
    records: found.records.map((one) => (one.actor && !known.includes(one.actor.id) ? { ...one, ...nobody } : one)),
  }
}
