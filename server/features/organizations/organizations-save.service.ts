import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { createOrganization, OrganizationDetails, updateOrganization } from '#shared/contract/organizations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { seesEverything } from '../access/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './organizations.errors.ts'
import { getDetails, getVisibleOrganization, toDetails } from './organizations.service.ts'
import {
  insertOrganization,
  isCodeTaken,
  isKnownAttribute,
  lockTree,
  nextPosition,
  type OrganizationSnapshot,
  updateOrganizationValues,
} from './organizations.store.ts'
import { refuseOwnedFields } from './organizations-owners.service.ts'
import { isAnyEnding } from './running-endings.store.ts'
import { MAX_LEVELS, type OrganizationRow } from './tree.store.ts'
import { versionConflict } from './version-conflict.service.ts'

/** The part of an organisation in audit records. */
export const toSnapshot = (row: OrganizationRow): OrganizationSnapshot => ({
  code: row.code,
  name: row.name,
  names: row.names,
  parentId: row.ancestorIds.at(-2) ?? null,
  attribute: row.attribute,
  position: row.position,
  enabled: row.enabled,
})

/** The name in the caller's language. */
export const displayName = (ctx: Context, row: OrganizationRow): string => row.names[ctx.client.language] ?? row.name

/** An organisation that the caller may change. @throws Refusal `organization.not-found`, `organization.outside`. */
export async function getManageableOrganization(ctx: Context, id: string): Promise<OrganizationRow> {
  const row = await getVisibleOrganization(ctx, id)
  if (!row.may.change) throw errors['organization.outside']({ params: { name: displayName(ctx, row) } })
  return row
}

/**
 * An organisation that the caller wants to change, in the version they saw.
 * @throws Refusal `organization.not-found`, `organization.outside` for a top of their scope, `organization.ending`, `version.conflict`.
 */
export async function getOrganizationAtVersion(ctx: Context, id: string, version: number): Promise<OrganizationRow> {
  const row = await getManageableOrganization(ctx, id)
  if (row.ending) throw errors['organization.ending']({ params: { name: displayName(ctx, row) } })
  if (row.version !== version) throw versionConflict(await toDetails(ctx, row))
  return row
}

/**
 * The organisation that something is moved into; null: the top of the whole tree.
 * @param exceptId the ending organisation on whose behalf this is called: places within it may take its people.
 * @throws Refusal `organization.not-found`, `organization.outside` if the caller may not edit there, `organization.ending`.
 */
export async function getTargetOrganization(
  ctx: Context,
  id: string | null,
  exceptId?: string,
): Promise<OrganizationRow | null> {
  if (id === null) {
    if (seesEverything(ctx)) return null
    throw errors['organization.outside']({ params: { name: ctx.translate(ctx.client.language, 'organization.top') } })
  }
  const row = await getVisibleOrganization(ctx, id)
  const params = { name: displayName(ctx, row) }
  if (!row.may.hold) throw errors['organization.outside']({ params })
  const around = row.ancestorIds.filter((one) => one !== exceptId)
  if (await isAnyEnding(ctx.db, around)) throw errors['organization.ending']({ params })
  return row
}

/** @throws Refusal `organization.too-deep` if `levels` more below `parent` are too many. */
export function checkDepth(ctx: Context, parent: OrganizationRow | null, levels: number): void {
  if ((parent?.ancestorIds.length ?? 0) + levels <= MAX_LEVELS) return
  throw errors['organization.too-deep']({ params: { name: parent ? displayName(ctx, parent) : '', most: MAX_LEVELS } })
}

type CheckedValues = Pick<OrganizationSnapshot, 'code' | 'attribute'>

async function checkValues(ctx: Context, { code, attribute }: CheckedValues, exceptId: string | null): Promise<void> {
  if (await isCodeTaken(ctx.db, code, exceptId)) {
    throw errors['organization.code-taken']({ params: { code }, data: { fields: ['code'] } })
  }
  if (attribute !== null && !(await isKnownAttribute(ctx.db, attribute))) {
    throw errors['organization.unknown-attribute']({ params: { code: attribute }, data: { fields: ['attribute'] } })
  }
}

/** Adds a new organisation as the last child of its parent. */
export async function create(
  ctx: Context,
  body: Input<typeof createOrganization>['body'],
): Promise<OrganizationDetails> {
  const forms = await buildSearchKeys(body.name, 'thing')
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const parent = await getTargetOrganization(inner, body.parentId)
    checkDepth(inner, parent, 1)
    await checkValues(inner, body, null)
    const id = v7()
    const snapshot: OrganizationSnapshot = { ...body, position: await nextPosition(inner.db, body.parentId) }
    const ancestorIds = [...(parent?.ancestorIds ?? []), id]
    await insertOrganization(inner.db, { ...snapshot, id, ancestorIds, forms, now: inner.now() })
    const target = { targetKind: 'organization', targetId: id }
    await recordAudit(inner, { action: 'organization.create', ...target, before: null, after: snapshot })
    return await getDetails(inner, id)
  })
}

type Changes = Omit<Input<typeof updateOrganization>['body'], 'version'>

/** Changes the given fields; writes nothing, not even an audit record, if nothing differs. */
export async function update(
  ctx: Context,
  id: string,
  { version, ...changes }: Input<typeof updateOrganization>['body'],
): Promise<OrganizationDetails> {
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const row = await getOrganizationAtVersion(inner, id, version)
    await applyChanges(inner, row, changes)
    return await getDetails(inner, id)
  })
}

async function applyChanges(ctx: Context, row: OrganizationRow, changes: Changes): Promise<void> {
  const before = toSnapshot(row)
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const after: OrganizationSnapshot = { ...before, ...Object.fromEntries(given) }
  if (isDeepStrictEqual(after, before)) return
  await refuseOwnedFields(ctx, [{ id: row.id, before, after }])
  await saveValues(ctx, row.id, after)
  await recordAudit(ctx, {
    action: 'organization.update',
    targetKind: 'organization',
    targetId: row.id,
    before,
    after,
  })
}

/** Writes everything but the place in the tree, after checks. */
export async function saveValues(ctx: Context, id: string, after: OrganizationSnapshot): Promise<void> {
  await checkValues(ctx, after, id)
  await updateOrganizationValues(ctx.db, {
    ...after,
    id,
    forms: await buildSearchKeys(after.name, 'thing'),
    now: ctx.now(),
  })
}
