import { type Context, callerOf } from '../../platform/platform.ts'
import { voidIssued } from '../administrators/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import { type Ending, refuseOthers, takerOf } from './endings.steps.ts'
import {
  deleteDelegations,
  findEffects,
  hasPeople,
  membersOf,
  moveDelegations,
  moveGrants,
  moveRoleMemberships,
} from './endings.store.ts'
import { refuseGains, refusePowers } from './move-effects.ts'
import { checkDepth, nameFor, snapshotOf } from './organizations.changes.ts'
import { effectsSeen } from './organizations.effects.ts'
import { errors } from './organizations.errors.ts'
import * as store from './organizations.store.ts'
import type { Moved } from './running-endings.store.ts'
import type { DetailsRow } from './tree.store.ts'

type Effects = Awaited<ReturnType<typeof findEffects>>

/**
 * Whom and what an ending concerns, when the caller may do it. The grants, roles and administrators that a merge hands over are
 * right for more people afterwards, and who administers something was appointed by a super user: that is for super users.
 * @throws Refusal `organization.super-user-only`, `organization.not-empty`, and those of the places.
 */
export async function checkedEffects(ctx: Context, row: DetailsRow, ending: Ending): Promise<Effects> {
  const effects = await findEffects(ctx.db, row.id, {
    language: ctx.client.language,
    now: ctx.now(),
    // The records tell of everybody.
    members: membersOf(ctx.db, row.id, ctx.db`true`),
  })
  const { people, children, grants, roles, delegations } = effects
  const rights = delegations + (ending.kind === 'merge' ? grants + roles : 0)
  if (!callerOf(ctx).isSuperUser && rights > 0) {
    throw errors['organization.super-user-only']({ params: { name: nameFor(ctx, row) } })
  }
  const { peopleTo, childrenTo } = placesOf(ending)
  if ((people > 0 && !peopleTo) || (children > 0 && !childrenTo)) {
    throw notEmpty(ctx, row, await effectsSeen(ctx, row.id))
  }
  if (peopleTo && people > 0) await refusePowers(ctx, row, await takerOf(ctx, row, peopleTo, 'people'))
  if (people > 0) await refuseOthers(ctx, row)
  if (childrenTo) await placeOfChildren(ctx, row, childrenTo)
  return effects
}

const placesOf = (ending: Ending) =>
  ending.kind === 'merge' ? { peopleTo: ending.into, childrenTo: ending.into } : ending

type Rest = { people: number; children: number }

/** @param effects What the caller may know of. */
export const notEmpty = (ctx: Context, row: DetailsRow, effects: Rest) =>
  errors['organization.not-empty']({
    params: { name: nameFor(ctx, row), people: effects.people, children: effects.children },
    data: { effects },
  })

async function placeOfChildren(ctx: Context, row: DetailsRow, childrenTo: string): Promise<DetailsRow> {
  const taker = await takerOf(ctx, row, childrenTo, 'all')
  checkDepth(ctx, taker, (await store.levelsOf(ctx.db, row.id)) - 1)
  await refuseGains(ctx, row, taker)
  return taker
}

/** What an ending came to. */
export type Ended = Omit<Moved, 'members'> & { children: number }

/**
 * The last part of an ending, in one transaction under the lock of the tree: everything but the people goes over, then the
 * organisation. @returns null when somebody has been put into it meanwhile: then there is one more step to do before.
 */
export async function finish(ctx: Context, row: DetailsRow, ending: Ending, moved: Moved): Promise<Ended | null> {
  const effects = await checkedEffects(ctx, row, ending)
  if (await hasPeople(ctx.db, row.id)) return null
  const ended =
    ending.kind === 'merge'
      ? await mergeRest(ctx, row, ending.into, { effects, moved })
      : await removeRest(ctx, row, ending, { effects, moved })
  if (!(await store.deleteOrganization(ctx.db, row.id))) throw notEmpty(ctx, row, { people: 1, children: 0 })
  return ended
}

type Found = { effects: Effects; moved: Moved }

async function mergeRest(ctx: Context, row: DetailsRow, into: string, { effects, moved }: Found): Promise<Ended> {
  const taker = await placeOfChildren(ctx, row, into)
  const children = await handOverChildren(ctx, row, taker)
  await moveGrants(ctx.db, row.id, into)
  await moveRoleMemberships(ctx.db, row.id, into)
  await handOverDelegations(ctx, row, taker)
  await endDelegations(ctx, row)
  const { grants, roles, delegations } = effects
  const { people, members, secondaryMembers } = moved
  await recordMerge(ctx, row, taker, { people, secondaryMembers: members, children, grants, roles, delegations })
  return { people, secondaryMembers, children }
}

/** One line for each of the two. */
async function recordMerge(ctx: Context, row: DetailsRow, taker: DetailsRow, moved: object): Promise<void> {
  const line = { action: 'organization.merge', targetKind: 'organization' }
  const gone = snapshotOf(row)
  const into = { id: taker.id, code: taker.code }
  await recordAudit(ctx, { ...line, targetId: row.id, before: gone, after: { into, ...moved } })
  const stays = snapshotOf(taker)
  const from = { id: row.id, code: row.code, ...moved }
  await recordAudit(ctx, { ...line, targetId: taker.id, before: stays, after: { ...stays, merged: from } })
}

type Places = { childrenTo?: string | undefined }

/** Its grants and roles end with it. */
async function removeRest(
  ctx: Context,
  row: DetailsRow,
  { childrenTo }: Places,
  { effects, moved }: Found,
): Promise<Ended> {
  const isParent = childrenTo !== undefined && effects.children > 0
  const children = isParent ? await handOverChildren(ctx, row, await placeOfChildren(ctx, row, childrenTo)) : 0
  await endDelegations(ctx, row)
  const after = { gone: true, ...effects, people: moved.people }
  const target = { targetKind: 'organization', targetId: row.id }
  await recordAudit(ctx, { action: 'organization.delete', ...target, before: snapshotOf(row), after })
  return { people: moved.people, secondaryMembers: moved.secondaryMembers, children }
}

/** Moves the organisations right below `row`, with everything below them. @returns how many. */
async function handOverChildren(ctx: Context, row: DetailsRow, taker: DetailsRow): Promise<number> {
  const ids = await store.childIdsOf(ctx.db, row.id)
  const before = new Map((await store.snapshotsOf(ctx.db, ids)).map((one) => [one.id, one]))
  const position = await store.lastPosition(ctx.db, taker.id)
  const place = { from: row.id, parentId: taker.id, ancestorIds: taker.ancestorIds, position, now: ctx.now() }
  await store.moveChildren(ctx.db, place)
  const bare = ({ id: _, version: __, ...snapshot }: store.Snapshot & { id: string; version: number }) => snapshot
  const lines = (await store.snapshotsOf(ctx.db, ids)).map((after) => {
    const former = before.get(after.id)
    const change = { before: former && bare(former), after: bare(after) }
    return { action: 'organization.move', targetKind: 'organization', targetId: after.id, ...change }
  })
  await recordAudits(ctx, lines)
  return ids.length
}

/** By the id it is decided who may read the name. */
const placeOf = ({ id, code }: DetailsRow) => ({ organization: code, organizationId: id })

async function handOverDelegations(ctx: Context, row: DetailsRow, taker: DetailsRow): Promise<void> {
  const moved = await moveDelegations(ctx.db, row.id, taker.id, ctx.now())
  await voidIssued(
    ctx.db,
    moved.map(({ userId }) => userId),
    ctx.now(),
  )
  const change = { before: placeOf(row), after: placeOf(taker) }
  await recordAudits(
    ctx,
    moved.map(({ id, userId }) => ({
      action: 'delegation.update',
      targetKind: 'delegation',
      targetId: id,
      userId,
      ...change,
    })),
  )
}

/** What is left of the administrators of an organisation ends with it. */
async function endDelegations(ctx: Context, row: DetailsRow): Promise<void> {
  const ended = await deleteDelegations(ctx.db, row.id)
  const change = { before: placeOf(row), after: null }
  await recordAudits(
    ctx,
    ended.map(({ id, userId }) => ({
      action: 'delegation.withdraw',
      targetKind: 'delegation',
      targetId: id,
      userId,
      ...change,
    })),
  )
}
