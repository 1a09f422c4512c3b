import type { Condition, GroupColumn, PersonColumn } from '../../features/scim-provisioning/index.ts'
import { errors } from './scim.errors.ts'
import { type Filter, parseFilter } from './scim-filter.rules.ts'
import { attributeKey, entryOf } from './scim-schemas.rules.ts'

/** The meaning of an attribute: a column, or a constant if every resource has the same value. */
type Meaning<Column> = { column: Column } | { constant: string | boolean }

type Meanings<Column> = Readonly<Record<string, Meaning<Column>>>

const USER_ATTRIBUTES: Meanings<PersonColumn> = {
  id: { column: 'id' },
  externalid: { column: 'externalId' },
  username: { column: 'account' },
  displayname: { column: 'name' },
  'name.formatted': { column: 'name' },
  nickname: { column: 'nickname' },
  emails: { column: 'mailbox' },
  'emails.value': { column: 'mailbox' },
  'emails.type': { constant: 'work' },
  'emails.primary': { constant: true },
  phonenumbers: { column: 'phone' },
  'phonenumbers.value': { column: 'phone' },
  'phonenumbers.type': { constant: 'mobile' },
  'phonenumbers.primary': { constant: true },
  active: { column: 'enabled' },
  usertype: { column: 'category' },
  'enterprise:department': { column: 'department' },
  groups: { column: 'group' },
  'groups.value': { column: 'group' },
  'meta.created': { column: 'createdAt' },
  'meta.lastmodified': { column: 'updatedAt' },
  'meta.resourcetype': { constant: 'User' },
}

const GROUP_ATTRIBUTES: Meanings<GroupColumn> = {
  id: { column: 'id' },
  externalid: { column: 'externalId' },
  displayname: { column: 'name' },
  members: { column: 'member' },
  'members.value': { column: 'member' },
  'members.type': { constant: 'User' },
  'group:kind': { column: 'kind' },
  'group:code': { column: 'code' },
  'group:parent': { column: 'parent' },
  'group:parent.value': { column: 'parent' },
  'meta.created': { column: 'createdAt' },
  'meta.lastmodified': { column: 'updatedAt' },
  'meta.resourcetype': { constant: 'Group' },
}

/** @throws Refusal `scim.bad-filter`, `scim.filter-too-large`, `scim.unknown-attribute`. */
export const userCondition = (filter: string): Condition<PersonColumn> => toCondition(filter, USER_ATTRIBUTES)

/** The same for groups. */
export const groupCondition = (filter: string): Condition<GroupColumn> => toCondition(filter, GROUP_ATTRIBUTES)

const toCondition = <Column extends string>(filter: string, meanings: Meanings<Column>): Condition<Column> =>
  filter.trim() === '' ? { is: true } : translate(parseFilter(filter), meanings, '')

function translate<Column extends string>(
  filter: Filter,
  meanings: Meanings<Column>,
  within: string,
): Condition<Column> {
  const part = (one: Filter) => translate(one, meanings, within)
  if (filter.kind === 'and') return { all: filter.parts.map(part) }
  if (filter.kind === 'or') return { any: filter.parts.map(part) }
  if (filter.kind === 'not') return { not: part(filter.part) }
  const name = within + attributeKey(filter.path)
  const meaning = entryOf(meanings, name)
  if (!meaning) throw unknown(name)
  if ('constant' in meaning) return compareConstant(filter, name, meaning.constant)
  const { column } = meaning
  if (filter.kind === 'present') return { present: column }
  if (filter.kind === 'compare') return { column, op: filter.op, value: filter.value }
  if (within !== '') throw unknown(name)
  return { all: [{ present: column }, translate(filter.filter, meanings, `${name}.`)] }
}

function compareConstant(filter: Filter, name: string, constant: string | boolean): { is: boolean } {
  if (filter.kind === 'present') return { is: true }
  if (filter.kind !== 'compare' || (filter.op !== 'eq' && filter.op !== 'ne')) throw unknown(name)
  const isSame = String(filter.value).toLowerCase() === String(constant).toLowerCase()
  return { is: isSame === (filter.op === 'eq') }
}

const unknown = (attribute: string) =>
  errors['scim.unknown-attribute']({ params: { attribute: attribute.slice(0, 100) } })
