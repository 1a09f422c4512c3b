import {
  GROUP_KINDS,
  type GroupChange,
  type GroupKind,
  type GroupMember,
  type MemberStep,
  type ScimGroup,
} from '../../features/scim-provisioning/index.ts'
import { errors } from './scim.errors.ts'
import type { Filter } from './scim-filter.rules.ts'
import { attributeKey, entryOf, GROUP_EXTENSION, GROUP_SCHEMA } from './scim-schemas.rules.ts'
import { toExternalId } from './scim-users.rules.ts'
import { type Given, isObject, lowerKeys, type PatchStep, toObject, toText } from './scim-values.rules.ts'

type Draft = Omit<GroupChange, 'members'> & { kind?: GroupKind; members: MemberStep[] }

const READ_ONLY = new Set(['id', 'meta', 'schemas'])

const SETTERS: Readonly<Record<string, (draft: Draft, value: unknown) => void>> = {
  externalid: (draft, value) => {
    draft.externalId = toExternalId(value)
  },
  displayname: (draft, value) => {
    draft.name = toText('displayName', value)?.trim() ?? ''
  },
  members: ({ members }, value) => void members.push({ verb: 'replace', ids: toIds(value) }),
  group: setExtension,
  'group:kind': (draft, value) => {
    draft.kind = toKind(value)
  },
  'group:code': (draft, value) => {
    draft.code = toText('code', value) ?? ''
  },
  'group:parent': (draft, value) => {
    draft.parentId = toId(isObject(value) ? lowerKeys(value)['value'] : value)
  },
  'group:parent.value': (draft, value) => {
    draft.parentId = toId(value)
  },
}

/** @returns whether the attribute exists */
function set(draft: Draft, key: string, value: unknown): boolean {
  const setter = entryOf(SETTERS, key)
  setter?.(draft, value)
  return setter !== undefined || READ_ONLY.has(key)
}

function setExtension(draft: Draft, value: unknown): void {
  if (value === null) return
  for (const [key, one] of Object.entries(toObject(GROUP_EXTENSION, value))) set(draft, `group:${key}`, one)
}

function toKind(value: unknown): GroupKind {
  const kind = GROUP_KINDS.find((one) => one === toText('kind', value)?.toLowerCase())
  if (!kind) throw errors['scim.wrong-type']({ params: { attribute: 'kind', type: GROUP_KINDS.join(', ') } })
  return kind
}

const toId = (value: unknown): string | null => toText('value', value)

/** Ids of members, as objects or strings, one or several. @throws Refusal `scim.wrong-type`. */
function toIds(value: unknown): string[] {
  const list = (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]) as unknown[]
  return list.map((one) => {
    const id = isObject(one) ? lowerKeys(one)['value'] : one
    if (typeof id !== 'string' || id.length > 100)
      throw errors['scim.wrong-type']({ params: { attribute: 'members.value', type: 'string' } })
    return id
  })
}

export type ReadGroup = { kind: GroupKind | null; change: GroupChange }

const finish = ({ kind, ...change }: Draft): ReadGroup => ({ kind: kind ?? null, change })

/** A group of a POST or PUT; absent attributes stay unchanged, members too. @throws Refusal `scim.wrong-type`. */
export function readGroup(body: unknown): ReadGroup {
  const draft: Draft = { members: [] }
  for (const [name, value] of Object.entries(toObject('body', body))) set(draft, attributeKey(name), value)
  return finish(draft)
}

/** The change to a group by a PATCH. @throws Refusal `scim.bad-path`, `scim.read-only`, `scim.wrong-type`. */
export function patchGroup(steps: readonly PatchStep[]): GroupChange {
  const draft: Draft = { members: [] }
  for (const step of steps) applyStep(draft, step)
  return finish(draft).change
}

function applyStep(draft: Draft, { verb, path, value, isNamed }: PatchStep): void {
  const base = attributeKey(path.path)
  const key = path.sub === null ? base : `${base}.${path.sub}`
  if (READ_ONLY.has(key)) {
    if (isNamed) throw errors['scim.read-only']({ params: { attribute: path.path } })
    return
  }
  if (key === 'members') return void draft.members.push(toMemberStep(verb, path.filter, value))
  const isKept = verb === 'remove' && key !== 'externalid' && !key.startsWith('group:parent')
  if (isKept) throw errors['scim.read-only']({ params: { attribute: path.path } })
  if (path.filter || !set(draft, key, verb === 'remove' ? null : value))
    throw errors['scim.bad-path']({ params: { path: path.path } })
}

function toMemberStep(verb: PatchStep['verb'], filter: Filter | null, value: unknown): MemberStep {
  if (filter) {
    if (verb !== 'remove') throw errors['scim.no-target']()
    return { verb, ids: idsOfFilter(filter) }
  }
  const ids = toIds(value)
  // All of them.
  if (verb === 'remove' && (value === undefined || value === null)) return { verb: 'replace', ids: [] }
  return { verb, ids }
}

/** `value eq "…"`, or several of them. */
function idsOfFilter(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsOfFilter)
  if (filter.kind === 'compare' && filter.path === 'value' && filter.op === 'eq' && typeof filter.value === 'string')
    return [filter.value]
  throw errors['scim.bad-path']({ params: { path: 'members[…]' } })
}

type Places = {
  location: string
  /** Null: there are too many to return. */
  members: readonly GroupMember[] | null
  userLocation: (id: string) => string
  groupLocation: (id: string) => string
}

/** A role or an organisation as a SCIM group. */
export function renderGroup(group: ScimGroup, { location, members, userLocation, groupLocation }: Places): Given {
  const { id, kind, code, name, parentId, externalId, createdAt, updatedAt } = group
  return {
    schemas: [GROUP_SCHEMA, GROUP_EXTENSION],
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(members && {
      members: members.map((member) => ({
        ...{ value: member.id, $ref: userLocation(member.id), display: member.name, type: 'User' },
      })),
    }),
    [GROUP_EXTENSION]: {
      kind,
      code,
      ...(parentId !== null && { parent: { value: parentId, $ref: groupLocation(parentId) } }),
    },
    meta: {
      resourceType: 'Group',
      ...(createdAt && { created: createdAt.toISOString() }),
      ...(updatedAt && { lastModified: updatedAt.toISOString() }),
      location,
    },
  }
}
