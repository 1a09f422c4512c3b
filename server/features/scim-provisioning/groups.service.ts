import { EntryName } from '#shared/contract/organizations.ts'
import { RoleFields } from '#shared/contract/roles.ts'
import { randomToken } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { createRoleWithin, removeRoleWithin, renameRoleWithin } from '../roles/index.ts'
import { hasScope, requireScope, type ScimCaller } from '../scim-clients/index.ts'
import { changeMembers, type MemberStep } from './group-members.service.ts'
import {
  deleteGroupLinks,
  findGroup,
  GROUP_KINDS,
  type GroupKind,
  isRoleGranted,
  type ScimGroup,
  saveGroupLink,
} from './groups.store.ts'
import { changeOrganizationGroup, createOrganizationGroup, deleteIfEmpty } from './organization-groups.service.ts'
import { errors } from './scim-provisioning.errors.ts'
import { type Writer, writing } from './writing.service.ts'

/** A client's data for a group; absent fields stay unchanged. */
export type GroupChange = {
  externalId?: string | null
  name?: string
  /** For a new one. */
  code?: string
  /** For an organisation. */
  parentId?: string | null
  members: readonly MemberStep[]
}

/** Kinds of groups that the client may read. */
export const readableKinds = (client: ScimCaller): GroupKind[] =>
  GROUP_KINDS.filter((kind) => hasScope(client, `${kind}s.read`))

/** @throws Refusal `scim.not-found`, also for a group that the client may not read. */
export async function getGroup(ctx: Context, client: ScimCaller, id: string): Promise<ScimGroup> {
  const group = await findGroup(ctx.db, client.id, { id, kinds: readableKinds(client) })
  if (!group) throw errors['scim.not-found']({ params: { id } })
  return group
}

function checkName(ctx: Context, name: string | undefined): void {
  if (name === undefined || EntryName.safeParse(name).success) return
  throw errors['scim.invalid-value']({ params: { reason: ctx.translate(ctx.client.language, 'scim.bad-name') } })
}

/** @throws Refusal `scim.scope-needed`, `scim.taken`, `scim.invalid-value` and those of `changeMembers` and `writing`. */
export async function createGroup(
  ctx: Context,
  client: ScimCaller,
  kind: GroupKind,
  change: GroupChange,
): Promise<ScimGroup> {
  requireScope(client, `${kind}s.write`)
  checkName(ctx, change.name ?? '')
  return await writing(ctx, client, async (inner, writer) => {
    const id = kind === 'role' ? await createRole(inner, change) : await createOrganizationGroup(inner, client, change)
    writer.changes.push({ kind: 'created', id })
    await link(inner, client, { id, externalId: change.externalId, isCreator: true })
    const group = await getGroup(inner, client, id)
    await changeMembers(inner, writer, group, change.members)
    return group
  })
}

async function createRole(ctx: Context, { name = '', code }: GroupChange): Promise<string> {
  const given = RoleFields.safeParse({ name, code: code ?? `scim-${randomToken(12)}`, description: '' })
  if (!given.success)
    throw errors['scim.invalid-value']({ params: { reason: ctx.translate(ctx.client.language, 'scim.bad-code') } })
  try {
    return await createRoleWithin(ctx, given.data)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'role.code-taken')
      throw errors['scim.taken']({ params: { attribute: 'code' } })
    throw error
  }
}

/** @throws Refusal `scim.not-found`, `scim.scope-needed`, `scim.immutable` and as `createGroup`. */
export async function changeGroup(
  ctx: Context,
  client: ScimCaller,
  id: string,
  change: GroupChange,
): Promise<ScimGroup> {
  checkName(ctx, change.name)
  return await writing(ctx, client, async (inner, writer) => {
    const group = await getGroup(inner, client, id)
    requireScope(client, `${group.kind}s.write`)
    await writeValues(inner, writer, group, change)
    const { externalId, members } = change
    if (externalId !== undefined) await link(inner, client, { id, externalId })
    await changeMembers(inner, writer, group, members)
    return await getGroup(inner, client, id)
  })
}

async function writeValues(
  ctx: Context,
  writer: Writer,
  { id, kind, code, name }: ScimGroup,
  change: GroupChange,
): Promise<void> {
  const immutable = (attribute: string) => errors['scim.immutable']({ params: { attribute } })
  if (change.code !== undefined && change.code !== code) throw immutable('code')
  if (kind === 'organization') {
    const values = {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.parentId !== undefined && { parentId: change.parentId }),
    }
    if (Object.keys(values).length > 0) await changeOrganizationGroup(ctx, writer, id, values)
    return
  }
  if (change.parentId) throw immutable('parent')
  if (change.name === undefined || change.name === name) return
  await renameRoleWithin(ctx, id, change.name)
  writer.changes.push({ kind: 'renamed', id })
}

type Link = { id: string; externalId: string | null | undefined; isCreator?: boolean; hiddenAt?: Date }

async function link(ctx: Context, client: ScimCaller, { id, ...rest }: Link): Promise<void> {
  if (await saveGroupLink(ctx.db, { clientId: client.id, groupId: id, ...rest })) return
  throw errors['scim.taken']({ params: { attribute: 'externalId' } })
}

/**
 * A role is deleted if the client created it and nothing is granted to it; an organisation is deleted if the client created it and it is
 * empty, and otherwise disabled and no longer visible to the client.
 * @throws Refusal `scim.not-found`, `scim.scope-needed`, `scim.not-creator`, `scim.group-in-use`, and those of `writing`.
 */
export async function removeGroup(ctx: Context, client: ScimCaller, id: string): Promise<void> {
  await writing(ctx, client, async (inner, writer) => {
    const group = await getGroup(inner, client, id)
    requireScope(client, `${group.kind}s.write`)
    if (group.kind === 'role') {
      if (!group.isCreator) throw errors['scim.not-creator']()
      if (await isRoleGranted(inner.db, id)) throw errors['scim.group-in-use']()
      await removeRoleWithin(inner, id, group.version)
      writer.changes.push({ kind: 'disabled', id })
      return void (await deleteGroupLinks(inner.db, id))
    }
    if (group.isCreator && (await deleteIfEmpty(inner, writer, id))) return void (await deleteGroupLinks(inner.db, id))
    await changeOrganizationGroup(inner, writer, id, { enabled: false })
    await link(inner, client, { id, externalId: undefined, hiddenAt: inner.now() })
  })
}
