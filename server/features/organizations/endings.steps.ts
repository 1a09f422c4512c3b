import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import type { Context } from '../../platform/platform.ts'
import { mayManage } from '../administrators/index.ts'
import { recordAudits } from '../records/index.ts'
import { hasOthers, movePeople, moveSecondaryMembers } from './endings.store.ts'
import { refusePowers } from './move-effects.ts'
import { holder, nameFor, ownOrganization } from './organizations.changes.ts'
import { mayCount } from './organizations.effects.ts'
import { errors } from './organizations.errors.ts'
import { checkNotBelow } from './organizations.moves.ts'
import type { Moved } from './running-endings.store.ts'
import type { DetailsRow } from './tree.store.ts'

/** What becomes of an organisation that ends: all of it goes into another one, or people and children get places. */
export const Ending = z.union([
  z.strictObject({ kind: z.literal('merge'), into: Id }),
  z.strictObject({ kind: z.literal('delete'), peopleTo: Id.optional(), childrenTo: Id.optional() }),
])
export type Ending = z.infer<typeof Ending>

/** The organisation that takes something over: another one, and where the children go none below them. */
export async function takerOf(ctx: Context, row: DetailsRow, id: string, what: 'people' | 'all'): Promise<DetailsRow> {
  const taker = await holder(ctx, id, row.id)
  if (!taker) throw errors['organization.not-found']()
  if (what === 'all' || taker.id === row.id) checkNotBelow(ctx, row, taker)
  return taker
}

/** @throws Refusal `organization.super-user-only` when somebody is in it whom the caller may not move. */
export async function refuseOthers(ctx: Context, row: DetailsRow): Promise<void> {
  if (!(await hasOthers(ctx.db, row.id, mayManage(ctx, 'edit')))) return
  throw errors['organization.super-user-only']({ params: { name: nameFor(ctx, row) } })
}

type Step = Moved & {
  /** Rows that were moved, those of deleted people too; 0: there are no more. */
  rows: number
  /** Those of them that the caller may know of. */
  told: number
}

/** Moves the next people of an organisation that ends, in the caller's transaction and with what they may do by now. */
export async function nextStep(ctx: Context, id: string, ending: Ending, most: number): Promise<Step> {
  const row = await ownOrganization(ctx, id)
  if (ending.kind === 'delete') {
    const to = ending.peopleTo
    return to ? await stepOfPeople(ctx, row, await takerOf(ctx, row, to, 'people'), most) : await stepUp(ctx, row, most)
  }
  const taker = await takerOf(ctx, row, ending.into, 'all')
  const step = await stepOfPeople(ctx, row, taker, most)
  if (step.rows > 0) return step
  const { moved, living, seen } = await moveSecondaryMembers(ctx.db, {
    from: row.id,
    to: taker.id,
    most,
    counted: mayCount(ctx),
  })
  return { rows: moved, told: seen, people: 0, members: living, secondaryMembers: seen }
}

/** Everybody gets a line in their records. */
async function stepOfPeople(ctx: Context, row: DetailsRow, taker: DetailsRow, most: number): Promise<Step> {
  await refuseOthers(ctx, row)
  await refusePowers(ctx, row, taker)
  const moved = await movePeople(ctx.db, { from: row.id, to: taker.id, most, now: ctx.now() })
  const living = moved.filter(({ deleted }) => !deleted)
  // By the id it is decided who may read the name.
  const change = {
    before: { organization: row.code, organizationId: row.id },
    after: { organization: taker.code, organizationId: taker.id },
  }
  await recordAudits(
    ctx,
    living.map(({ id }) => ({ action: 'account.update', targetKind: 'user', targetId: id, ...change })),
  )
  return { rows: moved.length, told: moved.length, people: living.length, members: 0, secondaryMembers: 0 }
}

/** Deleted people, who keep nothing open, go to what is above. */
async function stepUp(ctx: Context, row: DetailsRow, most: number): Promise<Step> {
  const to = row.ancestorIds.at(-2) ?? null
  const moved = await movePeople(ctx.db, { from: row.id, to, most, now: ctx.now(), onlyDeleted: true })
  return { rows: moved.length, told: moved.length, people: 0, members: 0, secondaryMembers: 0 }
}
