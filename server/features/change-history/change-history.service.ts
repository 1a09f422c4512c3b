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
import { asSeen, type SeenRow } from './outside.ts'
import type { Restorer, Side, Snapshot } from './restorer.ts'

export type Restorers = Readonly<Record<string, Restorer>>

function cursorOf(text: string | undefined): Cursor | null {
  const [at, id] = text?.split('_') ?? []
  return at && id ? { at, id } : null
}

const isObject = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a line about a person shows: not the ids that stand beside the names of departments. */
function sideOf(targetKind: string, side: Snapshot | null): Snapshot | null {
  if (!isObject(side) || targetKind !== 'user') return isObject(side) ? side : null
  const { organizationId: _, secondaryOrganizationIds: __, ...told } = side
  return told
}

/** The state on one side of a change and what it is of, when it is complete and its kind can be put back. */
export function restorableState(
  restorers: Restorers,
  row: ChangeRow,
  side: Side,
): { id: string; state: Snapshot } | null {
  const restorer = restorers[row.targetKind]
  if (!restorer || !keepsWholeState(row.targetKind, row.action)) return null
  if (restorer.partOf) return restorer.partOf(row, side)
  const state = row[side]
  return isObject(state) ? { id: row.targetId, state } : null
}

/** The fields that name something else by its id, and of which kind that is. */
const REFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  application: { categoryId: 'application-category' },
  'application-category': { parentId: 'application-category' },
  delegation: { organizationId: 'organization' },
  organization: { parentId: 'organization' },
}

type Reference = { kind: string; id: string }

function referencesOf({ targetKind, before, after }: SeenRow): Reference[] {
  const fields = Object.entries(REFERENCES[targetKind] ?? {})
  return [before, after].flatMap((side) =>
    fields.flatMap(([field, kind]) => {
      const id = isObject(side) ? side[field] : null
      return typeof id === 'string' ? [{ kind, id }] : []
    }),
  )
}

/** What targets are called, by kind and id. */
type Names = ReadonlyMap<string, ReadonlyMap<string, string>>

async function namesOf(ctx: Context, rows: readonly SeenRow[]): Promise<Names> {
  const named = rows.flatMap((row) => [{ kind: row.targetKind, id: row.targetId }, ...referencesOf(row)])
  const byKind = Map.groupBy(named, ({ kind }) => kind)
  const found = [...byKind].map(async ([kind, some]) => {
    const ids = [...new Set(some.map(({ id }) => id))]
    return [kind, await namesOfTargets(ctx.db, kind, ids)] as const
  })
  return new Map(await Promise.all(found))
}

function shown(restorers: Restorers, row: SeenRow, names: Names): z.input<typeof Change> {
  const { actorId, actorAccount, actorName } = row
  const person = actorId && actorAccount !== null && actorName !== null
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    targetKind: row.targetKind,
    targetId: row.targetId,
    targetName: row.targetName ?? names.get(row.targetKind)?.get(row.targetId) ?? null,
    actor: person ? { id: actorId, account: actorAccount, name: actorName } : null,
    actorWord: person ? null : row.actor,
    reason: row.reason,
    ip: row.ip,
    browser: agentOf(row.userAgent).browser,
    device: agentOf(row.userAgent).device,
    requestId: row.requestId,
    before: sideOf(row.targetKind, row.before),
    after: sideOf(row.targetKind, row.after),
    names: Object.fromEntries(
      referencesOf(row).flatMap(({ kind, id }) => {
        const name = names.get(kind)?.get(id)
        return name === undefined ? [] : [[id, name]]
      }),
    ),
    restorable: {
      before: restorableState(restorers, row, 'before') !== null,
      after: restorableState(restorers, row, 'after') !== null,
    },
  }
}

type See = (rows: readonly ChangeRow[]) => Promise<SeenRow[]>

async function page(
  ctx: Context,
  restorers: Restorers,
  filter: ChangeFilter,
  { size, see }: { size: number; see?: See },
) {
  const rows = await changesAfter(ctx.db, { ...filter, limit: size + 1 })
  const first = rows.slice(0, size)
  const records: SeenRow[] = see ? await see(first) : first
  const names = await namesOf(ctx, records)
  const last = records.at(-1)
  return {
    records: records.map((row) => shown(restorers, row, names)),
    next: last && rows.length > size ? `${last.place}_${last.id}` : null,
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
  return await page(ctx, restorers, filter, { size: pageSize })
}

/** What changed a person; an administrator of some organisations learns nothing of what lies elsewhere, nor who and where others are. */
export async function changesOfPerson(
  ctx: Context,
  { userId, cursor, pageSize }: Input<typeof personChanges>['query'],
): Promise<Output<typeof personChanges>> {
  if (!(await personExists(ctx.db, userId, inScope(ctx, ctx.db`u.organization_id`)))) return { records: [], next: null }
  const filter = { kinds: [], targetId: null, userId, from: null, to: null, cursor: cursorOf(cursor), limit: 0 }
  const see: See = (rows) => asSeen(ctx, userId, rows)
  return await page(ctx, {}, filter, { size: pageSize, ...(!callerOf(ctx).isSuperUser && { see }) })
}
