import { type Context, callerOf } from '../../platform/platform.ts'
import { refuseIfNamedByRules } from '../access-rules/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import { loadVisibleEffects } from './effects.service.ts'
import { hasPeople, loadEffects, secondaryMemberCount } from './endings.store.ts'
import type { EndingHandler } from './endings.types.ts'
import { type Ending, requireAllManageable, successor } from './endings-steps.service.ts'
import { assertNoGains } from './move-effects.service.ts'
import { errors } from './organizations.errors.ts'
import * as store from './organizations.store.ts'
import { refuseOwnedFields } from './organizations-owners.service.ts'
import { checkDepth, displayName, toSnapshot } from './organizations-save.service.ts'
import type { MovedCounts } from './running-endings.store.ts'
import type { OrganizationRow } from './tree.store.ts'

type Effects = Awaited<ReturnType<typeof loadEffects>>

/**
 * What an ending affects, if the caller may do it. Grants, roles and appointments that a merge hands over apply to more people afterwards,
 * and only a super user appoints: these require a super user.
 * @throws Refusal `organization.super-user-only`, `organization.not-empty`, and those of the places.
 */
export async function checkEnding(ctx: Context, row: OrganizationRow, ending: Ending): Promise<Effects> {
  const effects = await loadEffects(ctx.db, row.id, {
    language: ctx.client.language,
    now: ctx.now(),
    // The audit records count everybody.
    members: secondaryMemberCount(ctx.db, row.id, ctx.db`true`),
  })
  const { people, children, grants, roles, appointments } = effects
  const rights = appointments + (ending.kind === 'merge' ? grants + roles : 0)
  if (!callerOf(ctx).isSuperUser && rights > 0) {
    throw errors['organization.super-user-only']({ params: { name: displayName(ctx, row) } })
  }
  const { peopleTo, childrenTo } = targetIds(ending)
  if ((people > 0 && !peopleTo) || (children > 0 && !childrenTo)) {
    throw notEmptyRefusal(ctx, row, await loadVisibleEffects(ctx, row.id))
  }
  await refuseIfNamedByRules(ctx, 'who.organizations', row.id)
  if (people > 0) await requireAllManageable(ctx, row)
  if (peopleTo && people > 0) await assertNoGains(ctx, row, await successor(ctx, row, peopleTo, 'people'))
  if (childrenTo) await checkChildrenTarget(ctx, row, childrenTo)
  return effects
}

const targetIds = (ending: Ending) =>
  ending.kind === 'merge' ? { peopleTo: ending.into, childrenTo: ending.into } : ending

type RemainingContent = { people: number; children: number }

/** @param effects those visible to the caller */
export const notEmptyRefusal = (ctx: Context, row: OrganizationRow, effects: RemainingContent) =>
  errors['organization.not-empty']({
    params: { name: displayName(ctx, row), people: effects.people, children: effects.children },
    data: { effects },
  })

async function checkChildrenTarget(ctx: Context, row: OrganizationRow, childrenTo: string): Promise<OrganizationRow> {
  const target = await successor(ctx, row, childrenTo, 'all')
  checkDepth(ctx, target, (await store.countLevels(ctx.db, row.id)) - 1)
  const children = await store.listSnapshots(ctx.db, await store.listChildIds(ctx.db, row.id))
  const moving = children.map((before) => ({ id: before.id, before, after: { ...before, parentId: target.id } }))
  await refuseOwnedFields(ctx, moving)
  await assertNoGains(ctx, row, target)
  return target
}

/** The result of an ending. */
export type EndingOutcome = Omit<MovedCounts, 'members'> & { children: number }

/**
 * The last part of an ending, in one transaction under the tree lock: everything but the people is moved, then the organisation is deleted.
 * @returns null if somebody was assigned to it meanwhile: then another step is needed first
 */
export async function finishEnding(
  ctx: Context,
  row: OrganizationRow,
  ending: Ending,
  { moved, handlers }: { moved: MovedCounts; handlers: readonly EndingHandler[] },
): Promise<EndingOutcome | null> {
  const effects = await checkEnding(ctx, row, ending)
  if (await hasPeople(ctx.db, row.id)) return null
  const ended =
    ending.kind === 'merge'
      ? await mergeRemaining(ctx, row, ending.into, { effects, moved, handlers })
      : await deleteRemaining(ctx, row, ending, { effects, moved, handlers })
  if (!(await store.deleteOrganization(ctx.db, row.id))) throw notEmptyRefusal(ctx, row, { people: 1, children: 0 })
  return ended
}

type EndingProgress = { effects: Effects; moved: MovedCounts; handlers: readonly EndingHandler[] }

async function mergeRemaining(
  ctx: Context,
  row: OrganizationRow,
  into: string,
  { effects, moved, handlers }: EndingProgress,
): Promise<EndingOutcome> {
  const target = await checkChildrenTarget(ctx, row, into)
  const children = await transferChildren(ctx, row, target)
  for (const handler of handlers) await handler.merge(ctx, row, target)
  const { grants, roles, appointments } = effects
  const { people, members, secondaryMembers } = moved
  await recordMerge(ctx, row, target, { people, secondaryMembers: members, children, grants, roles, appointments })
  return { people, secondaryMembers, children }
}

/** One audit record for each of the two. */
async function recordMerge(ctx: Context, row: OrganizationRow, target: OrganizationRow, moved: object): Promise<void> {
  const line = { action: 'organization.merge', targetKind: 'organization' }
  const source = toSnapshot(row)
  const into = { id: target.id, code: target.code }
  await recordAudit(ctx, { ...line, targetId: row.id, before: source, after: { into, ...moved } })
  const kept = toSnapshot(target)
  const from = { id: row.id, code: row.code, ...moved }
  await recordAudit(ctx, { ...line, targetId: target.id, before: kept, after: { ...kept, merged: from } })
}

type DeleteTargets = { childrenTo?: string | undefined }

/** Its grants and roles end with it. */
async function deleteRemaining(
  ctx: Context,
  row: OrganizationRow,
  { childrenTo }: DeleteTargets,
  { effects, moved, handlers }: EndingProgress,
): Promise<EndingOutcome> {
  const isParent = childrenTo !== undefined && effects.children > 0
  const children = isParent ? await transferChildren(ctx, row, await checkChildrenTarget(ctx, row, childrenTo)) : 0
  for (const handler of handlers) await handler.remove?.(ctx, row)
  const after = { gone: true, ...effects, people: moved.people }
  const target = { targetKind: 'organization', targetId: row.id }
  await recordAudit(ctx, { action: 'organization.delete', ...target, before: toSnapshot(row), after })
  return { people: moved.people, secondaryMembers: moved.secondaryMembers, children }
}

/** Moves the direct children of `row`, with everything below them. @returns how many */
async function transferChildren(ctx: Context, row: OrganizationRow, target: OrganizationRow): Promise<number> {
  const ids = await store.listChildIds(ctx.db, row.id)
  const before = new Map((await store.listSnapshots(ctx.db, ids)).map((one) => [one.id, one]))
  const position = await store.nextPosition(ctx.db, target.id)
  const place = { from: row.id, parentId: target.id, ancestorIds: target.ancestorIds, position, now: ctx.now() }
  await store.moveChildren(ctx.db, place)
  const withoutVersion = ({
    id: _,
    version: __,
    ...snapshot
  }: store.OrganizationSnapshot & { id: string; version: number }) => snapshot
  const lines = (await store.listSnapshots(ctx.db, ids)).map((after) => {
    const former = before.get(after.id)
    const change = { before: former && withoutVersion(former), after: withoutVersion(after) }
    return { action: 'organization.move', targetKind: 'organization', targetId: after.id, ...change }
  })
  await recordAudits(ctx, lines)
  return ids.length
}
