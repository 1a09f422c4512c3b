import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { createOrganization, OrganizationDetails, updateOrganization } from '#shared/contract/organizations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { searchFormsOf } from '../name-search/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './organizations.errors.ts'
import { detailsOf, seenOrganization, shownDetails } from './organizations.service.ts'
import {
  insertOrganization,
  isAttribute,
  isCodeTaken,
  lastPosition,
  lockTree,
  type Snapshot,
  updateOwn,
} from './organizations.store.ts'
import { areEnding } from './running-endings.store.ts'
import { type DetailsRow, MOST_LEVELS } from './tree.store.ts'
import { conflict } from './version-conflict.ts'

/** What the audit records keep of an organisation. */
export const snapshotOf = (row: DetailsRow): Snapshot => ({
  code: row.code,
  name: row.name,
  names: row.names,
  parentId: row.ancestorIds.at(-2) ?? null,
  attribute: row.attribute,
  position: row.position,
  enabled: row.enabled,
})

/** What the caller calls it. */
export const nameFor = (ctx: Context, row: DetailsRow): string => row.names[ctx.client.language] ?? row.name

/** An organisation that the caller may change. @throws Refusal `organization.not-found`, `organization.outside`. */
export async function ownOrganization(ctx: Context, id: string): Promise<DetailsRow> {
  const row = await seenOrganization(ctx, id)
  if (!row.may.change) throw errors['organization.outside']({ params: { name: nameFor(ctx, row) } })
  return row
}

/**
 * An organisation that the caller wants to change, as they last saw it.
 * @throws Refusal `organization.not-found`, `organization.outside` for a top of their scope, `organization.ending`, `version.conflict`.
 */
export async function changeable(ctx: Context, id: string, version: number): Promise<DetailsRow> {
  const row = await ownOrganization(ctx, id)
  if (row.ending) throw errors['organization.ending']({ params: { name: nameFor(ctx, row) } })
  if (row.version !== version) throw conflict(shownDetails(row))
  return row
}

/**
 * The organisation that something is put into; null: the top of the whole tree.
 * @param exceptId an organisation whose own ending asks: what is within it may take its people.
 * @throws Refusal `organization.not-found`, `organization.outside` where the caller may not edit, `organization.ending`.
 */
export async function holder(ctx: Context, id: string | null, exceptId?: string): Promise<DetailsRow | null> {
  if (id === null) {
    if (callerOf(ctx).isSuperUser) return null
    throw errors['organization.outside']({ params: { name: ctx.translate(ctx.client.language, 'organization.top') } })
  }
  const row = await seenOrganization(ctx, id)
  const params = { name: nameFor(ctx, row) }
  if (!row.may.hold) throw errors['organization.outside']({ params })
  const around = row.ancestorIds.filter((one) => one !== exceptId)
  if (await areEnding(ctx.db, around)) throw errors['organization.ending']({ params })
  return row
}

/** @throws Refusal `organization.too-deep` when `levels` more below `parent` are too many. */
export function checkDepth(ctx: Context, parent: DetailsRow | null, levels: number): void {
  if ((parent?.ancestorIds.length ?? 0) + levels <= MOST_LEVELS) return
  throw errors['organization.too-deep']({ params: { name: parent ? nameFor(ctx, parent) : '', most: MOST_LEVELS } })
}

type Own = Pick<Snapshot, 'code' | 'attribute'>

async function checkOwn(ctx: Context, { code, attribute }: Own, exceptId: string | null): Promise<void> {
  if (await isCodeTaken(ctx.db, code, exceptId)) {
    throw errors['organization.code-taken']({ params: { code }, data: { fields: ['code'] } })
  }
  if (attribute !== null && !(await isAttribute(ctx.db, attribute))) {
    throw errors['organization.unknown-attribute']({ params: { code: attribute }, data: { fields: ['attribute'] } })
  }
}

/** Puts a new organisation behind the others below its parent. */
export async function create(
  ctx: Context,
  body: Input<typeof createOrganization>['body'],
): Promise<OrganizationDetails> {
  const forms = await searchFormsOf(body.name, 'thing')
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const parent = await holder(inner, body.parentId)
    checkDepth(inner, parent, 1)
    await checkOwn(inner, body, null)
    const id = v7()
    const snapshot: Snapshot = { ...body, position: await lastPosition(inner.db, body.parentId) }
    const ancestorIds = [...(parent?.ancestorIds ?? []), id]
    await insertOrganization(inner.db, { ...snapshot, id, ancestorIds, forms, now: inner.now() })
    const target = { targetKind: 'organization', targetId: id }
    await recordAudit(inner, { action: 'organization.create', ...target, before: null, after: snapshot })
    return await detailsOf(inner, id)
  })
}

type Changes = Omit<Input<typeof updateOrganization>['body'], 'version'>

/** Changes what is given; writes nothing, not even an audit line, when that is how it stands already. */
export async function update(
  ctx: Context,
  id: string,
  { version, ...changes }: Input<typeof updateOrganization>['body'],
): Promise<OrganizationDetails> {
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const row = await changeable(inner, id, version)
    await changeOwn(inner, row, changes)
    return await detailsOf(inner, id)
  })
}

async function changeOwn(ctx: Context, row: DetailsRow, changes: Changes): Promise<void> {
  const before = snapshotOf(row)
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const after: Snapshot = { ...before, ...Object.fromEntries(given) }
  if (isDeepStrictEqual(after, before)) return
  await writeOwn(ctx, row.id, after)
  await recordAudit(ctx, {
    action: 'organization.update',
    targetKind: 'organization',
    targetId: row.id,
    before,
    after,
  })
}

/** Writes everything but the place in the tree, checked. */
export async function writeOwn(ctx: Context, id: string, after: Snapshot): Promise<void> {
  await checkOwn(ctx, after, id)
  await updateOwn(ctx.db, { ...after, id, forms: await searchFormsOf(after.name, 'thing'), now: ctx.now() })
}
