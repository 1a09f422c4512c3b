import type { deleteOrganization, mergeOrganization, OrganizationDetails } from '#shared/contract/organizations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { mayManage } from '../administrators/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import {
  deleteDelegations,
  findEffects,
  hasOthers,
  moveDelegations,
  moveDeletedPeople,
  moveGrants,
  movePeople,
  moveRoleMemberships,
  moveSecondaryMembers,
} from './endings.store.ts'
import { changeable, checkDepth, holder, nameFor, snapshotOf } from './organizations.changes.ts'
import { errors } from './organizations.errors.ts'
import { checkNotBelow } from './organizations.moves.ts'
import { detailsOf } from './organizations.service.ts'
import * as store from './organizations.store.ts'
import type { DetailsRow } from './tree.store.ts'

/** The organisation that takes something over: another one, and where the children go none below them. */
async function takerOf(ctx: Context, row: DetailsRow, id: string, what: 'people' | 'all'): Promise<DetailsRow> {
  const taker = await holder(ctx, id)
  if (!taker) throw errors['organization.not-found']()
  if (what === 'all' || taker.id === row.id) checkNotBelow(ctx, row, taker)
  return taker
}

/** Moves everybody of `row`, with a line in the records of each. @returns how many. */
async function handOverPeople(ctx: Context, row: DetailsRow, taker: DetailsRow): Promise<number> {
  if (await hasOthers(ctx.db, row.id, mayManage(ctx, 'edit'))) {
    throw errors['organization.super-user-only']({ params: { name: nameFor(ctx, row) } })
  }
  const moved = (await movePeople(ctx.db, row.id, taker.id, ctx.now())).filter(({ deleted }) => !deleted)
  const change = { before: { organization: row.code }, after: { organization: taker.code } }
  await recordAudits(
    ctx,
    moved.map(({ id }) => ({ action: 'account.update', targetKind: 'user', targetId: id, ...change })),
  )
  return moved.length
}

/** Moves the organisations right below `row`, with everything below them. @returns how many. */
async function handOverChildren(ctx: Context, row: DetailsRow, taker: DetailsRow): Promise<number> {
  checkDepth(ctx, taker, (await store.levelsOf(ctx.db, row.id)) - 1)
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

async function handOverDelegations(ctx: Context, row: DetailsRow, taker: DetailsRow): Promise<void> {
  const moved = await moveDelegations(ctx.db, row.id, taker.id, ctx.now())
  const change = { before: { organization: row.code }, after: { organization: taker.code } }
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
  const change = { before: { organization: row.code }, after: null }
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

/**
 * Merges an organisation into another one and deletes it: people, those who belong to it beside, children, grants, role
 * memberships and administrators go over. The last three are right for more people afterwards, so that is for super users.
 */
export async function merge(
  ctx: Context,
  id: string,
  { version, into }: Input<typeof mergeOrganization>['body'],
): Promise<OrganizationDetails> {
  return await transaction(ctx, async (inner) => {
    await store.lockTree(inner.db)
    const row = await changeable(inner, id, version)
    const taker = await takerOf(inner, row, into, 'all')
    const effects = await findEffects(inner.db, id, inner.client.language, inner.now())
    if (!callerOf(inner).isSuperUser && effects.grants + effects.roles + effects.delegations > 0) {
      throw errors['organization.super-user-only']({ params: { name: nameFor(inner, row) } })
    }
    const { db } = inner
    const people = await handOverPeople(inner, row, taker)
    const children = await handOverChildren(inner, row, taker)
    await moveSecondaryMembers(db, id, into)
    await moveGrants(db, id, into)
    await moveRoleMemberships(db, id, into)
    await handOverDelegations(inner, row, taker)
    await endDelegations(inner, row)
    if (!(await store.deleteOrganization(db, id))) throw notEmpty(inner, row, { people: 1, children: 0 })
    const { secondaryMembers, grants, roles, delegations } = effects
    const moved = { people, children, secondaryMembers, grants, roles, delegations }
    await recordMerge(inner, row, taker, moved)
    return await detailsOf(inner, into)
  })
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

/** Deletes an organisation that is empty, or whose people and children have a place to go. Its grants and roles end with it. */
export async function remove(
  ctx: Context,
  id: string,
  { version, peopleTo, childrenTo }: Input<typeof deleteOrganization>['body'],
): Promise<null> {
  return await transaction(ctx, async (inner) => {
    await store.lockTree(inner.db)
    const row = await changeable(inner, id, version)
    const effects = await findEffects(inner.db, id, inner.client.language, inner.now())
    // Who administers it was appointed by a super user, and only super users take that back.
    if (!callerOf(inner).isSuperUser && effects.delegations > 0) {
      throw errors['organization.super-user-only']({ params: { name: nameFor(inner, row) } })
    }
    if ((effects.people > 0 && !peopleTo) || (effects.children > 0 && !childrenTo)) throw notEmpty(inner, row, effects)
    await empty(inner, row, effects, { peopleTo, childrenTo })
    await endDelegations(inner, row)
    if (!(await store.deleteOrganization(inner.db, id))) throw notEmpty(inner, row, { people: 1, children: 0 })
    const after = { gone: true, ...effects }
    const target = { targetKind: 'organization', targetId: id }
    await recordAudit(inner, { action: 'organization.delete', ...target, before: snapshotOf(row), after })
    return null
  })
}

type Places = { peopleTo: string | undefined; childrenTo: string | undefined }

/** Gives people and children their new places; deleted people, who keep nothing open, go along or to what is above. */
async function empty(
  ctx: Context,
  row: DetailsRow,
  effects: { people: number; children: number },
  { peopleTo, childrenTo }: Places,
): Promise<void> {
  if (peopleTo && effects.people > 0) await handOverPeople(ctx, row, await takerOf(ctx, row, peopleTo, 'people'))
  else await moveDeletedPeople(ctx.db, row.id, row.ancestorIds.at(-2) ?? null)
  if (!childrenTo || effects.children === 0) return
  await handOverChildren(ctx, row, await takerOf(ctx, row, childrenTo, 'all'))
}

const notEmpty = (ctx: Context, row: DetailsRow, effects: { people: number; children: number }) =>
  errors['organization.not-empty']({
    params: { name: nameFor(ctx, row), people: effects.people, children: effects.children },
    data: { effects },
  })
