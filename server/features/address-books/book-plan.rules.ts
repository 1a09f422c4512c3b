import { type BookSyncFields, type BookVendor, isMailProvider } from '#shared/contract/address-books.ts'
import type { BookDepartment, BookPerson } from '../../connectors/index.ts'
import type { BulkOrganization } from '../organizations/index.ts'
import type { BookKind, BookLink, BookPlanRow, BookProblem, BookValues, LocalPerson } from './book-plan.types.ts'

type Organization = Pick<BulkOrganization, 'id' | 'name' | 'parentId' | 'enabled'>

/** The state of both sides at one moment. */
export type BookWorld = {
  /** All of ours, parents before children. */
  organizations: readonly Organization[]
  people: readonly LocalPerson[]
  links: readonly (Omit<BookLink, 'sent'> & { sent: BookValues | null })[]
  departments: readonly BookDepartment[]
  book: readonly BookPerson[]
}

type Options = Pick<BookSyncFields, 'vendor' | 'roots' | 'fields' | 'leavers'>

export const bookProblem = (key: string, params?: BookProblem['params']): BookProblem => ({
  key: `book-problem.${key}`,
  ...(params && { params }),
})

/** Departments to send: enabled ones below a root whose parents are sent too. */
export function organizationsBelow(organizations: readonly Organization[], roots: readonly string[]): Organization[] {
  const inside = new Set(roots)
  return organizations.filter(({ id, parentId, enabled }) => {
    if (inside.has(id)) return false
    const isIn = enabled && parentId !== null && inside.has(parentId)
    if (isIn) inside.add(id)
    return isIn
  })
}

/** A phone number as the vendors store it: without China's country code. */
const mobileOf = (phone: string | null): string => (phone ?? '').replace(/^\+86/, '')

/** The values to send for a person; empty local values leave the vendor's alone. */
export const desiredValues = ({ name, phone, mailbox }: LocalPerson, fields: Options['fields']): BookValues => ({
  name,
  ...(fields.includes('mobile') && phone && { mobile: mobileOf(phone) }),
  ...(fields.includes('email') && mailbox && { email: mailbox }),
})

/** Plans what writing our departments and people would change in the address book, departments first. Writes nothing. */
export function planBook(world: BookWorld, options: Options): BookPlanRow[] {
  const departments = planDepartments(world, options)
  return [...departments.rows, ...planPeople(world, options, departments), ...planMissing(world, options)]
}

/** More levels than a vendor has; whatever it says of parents, a path ends. */
const MAX_DEPTH = 20
const NO_PARENT = 0

/** Tells the path of a department there, without the corporation above all if that was read; null: the department was not read. */
export function departmentPaths(departments: BookWorld['departments']): (id: number) => string | null {
  const byId = new Map(departments.map((one) => [one.id, one]))
  return (id) => {
    const names: string[] = []
    for (let one = byId.get(id); one && names.length < MAX_DEPTH; one = byId.get(one.parentId))
      if (one.parentId !== NO_PARENT || names.length === 0) names.unshift(one.name)
    return names.join(' / ') || null
  }
}

type Departments = {
  rows: BookPlanRow[]
  /** The vendor id of each of our departments; null: it has to be created. */
  idOf: Map<string, number | null>
}

/** Where people of each of our departments stand at a mail provider, which gets no departments: as the nearest root above says. */
export function departmentIdsBelow(
  organizations: readonly Organization[],
  roots: BookSyncFields['roots'],
): Map<string, number> {
  const departmentIds = new Map(roots.map(({ organizationId, departmentId }) => [organizationId, departmentId]))
  for (const { id, parentId } of organizationsBelow(organizations, [...departmentIds.keys()])) {
    const above = departmentIds.get(parentId ?? '')
    if (above !== undefined) departmentIds.set(id, above)
  }
  return departmentIds
}

function planDepartments(world: BookWorld, { roots, vendor }: Options): Departments {
  if (isMailProvider(vendor)) return { rows: [], idOf: departmentIdsBelow(world.organizations, roots) }
  const idOf = new Map<string, number | null>(
    roots.map(({ organizationId, departmentId }) => [organizationId, departmentId]),
  )
  const linked = new Map(linksOf(world, 'department').map((link) => [link.localId, Number(link.externalId)]))
  const taken = new Set([...linked.values(), ...roots.map(({ departmentId }) => departmentId)])
  const remoteById = new Map(world.departments.map((one) => [one.id, one]))
  const below = Map.groupBy(world.departments, ({ parentId }) => parentId)
  const sameBelow = (parent: number | null, name: string) =>
    below.get(parent ?? 0)?.find((one) => one.name === name && !taken.has(one.id))
  const rows = organizationsBelow(world.organizations, [...idOf.keys()]).map((one): BookPlanRow => {
    const organizationId = one.parentId ?? ''
    const parent = idOf.get(organizationId) ?? null
    const row = { kind: 'department', localId: one.id, externalId: null, before: null, after: null } as const
    const problem = idOf.has(organizationId) ? nameProblem(one.name) : bookProblem('no-parent')
    if (problem) return { ...row, outcome: 'bad', problem }
    const found = remoteById.get(linked.get(one.id) ?? 0) ?? sameBelow(parent, one.name)
    idOf.set(one.id, found?.id ?? null)
    if (!found) return { ...row, outcome: 'new', after: { name: one.name, organizationId }, problem: null }
    taken.add(found.id)
    const change = departmentChange(found, { name: one.name, organizationId, parent })
    return { ...row, externalId: String(found.id), problem: null, ...change }
  })
  return { rows, idOf }
}

type Desired = { name: string; organizationId: string; parent: number | null }

function departmentChange(found: BookDepartment, { name, organizationId, parent }: Desired) {
  const isRenamed = found.name !== name
  const isMoved = found.parentId !== parent
  if (!isRenamed && !isMoved) return { outcome: 'unchanged' as const, before: null, after: null }
  return {
    outcome: isMoved ? ('moved' as const) : ('changed' as const),
    before: { ...(isRenamed && { name: found.name }), ...(isMoved && { departments: [found.parentId] }) },
    after: { ...(isRenamed && { name }), ...(isMoved && { organizationId }) },
  }
}

const MAX_DEPARTMENT_NAME = 32

function nameProblem(name: string): BookProblem | null {
  if (name.length > MAX_DEPARTMENT_NAME) return bookProblem('long-name', { most: String(MAX_DEPARTMENT_NAME) })
  return /[\\:*?"<>|/]/.test(name) ? bookProblem('bad-name') : null
}

const linksOf = ({ links }: BookWorld, kind: BookKind) => links.filter((link) => link.kind === kind)
const lower = (id: string) => id.toLowerCase()

type Indexed = {
  linkOf: Map<string, BookWorld['links'][number]>
  /** Our person that each of theirs is linked to. */
  ownerOf: Map<string, string>
  remoteById: Map<string, BookPerson>
  byMobile: Map<string, BookPerson>
  managed: ReadonlySet<number>
  idOf: Departments['idOf']
  /** A mailbox has an address that stays, stands where somebody put it, and shares its phone with others. */
  isMail: boolean
}

function planPeople(world: BookWorld, options: Options, { idOf }: Departments): BookPlanRow[] {
  const links = linksOf(world, 'person')
  const isMail = isMailProvider(options.vendor)
  const indexed: Indexed = {
    linkOf: new Map(links.map((link) => [link.localId, link])),
    ownerOf: new Map(links.map((link) => [lower(link.externalId), link.localId])),
    remoteById: new Map(world.book.map((one) => [lower(one.id), one])),
    byMobile: new Map(isMail ? [] : world.book.flatMap((one) => (one.mobile ? [[one.mobile, one] as const] : []))),
    managed: new Set([...idOf.values()].filter((id) => id !== null)),
    idOf,
    isMail,
  }
  return world.people.map((person) => planPerson(person, indexed, options))
}

function planPerson(person: LocalPerson, indexed: Indexed, options: Options): BookPlanRow {
  const link = indexed.linkOf.get(person.id)
  const found = indexed.remoteById.get(lower(link?.externalId ?? person.userid))
  const desired = desiredValues(person, options.fields)
  const organizationId = person.organizationId
  const row = { kind: 'person', localId: person.id, externalId: found?.id ?? null, before: null, after: null } as const
  if (person.problem) return { ...row, outcome: 'bad', problem: person.problem }
  const conflict = conflictOf(person, found, desired, indexed)
  if (conflict) return { ...row, outcome: 'conflict', problem: conflict }
  if (!indexed.idOf.has(organizationId)) return { ...row, outcome: 'bad', problem: bookProblem('no-department') }
  if (found) return { ...row, problem: null, ...personChange(found, { desired, organizationId, link, ...indexed }) }
  const problem = newProblem(person.account, desired, options.vendor)
  if (problem) return { ...row, outcome: 'bad', problem }
  return { ...row, externalId: person.userid, outcome: 'new', after: { ...desired, organizationId }, problem: null }
}

/** Is the person there linked to somebody else or in a state of their own, or does somebody else there have the phone number? */
function conflictOf(
  { id, userid: own }: LocalPerson,
  found: BookPerson | undefined,
  { mobile }: BookValues,
  { linkOf, ownerOf, byMobile, isMail }: Indexed,
): BookProblem | null {
  const linked = linkOf.get(id)?.externalId ?? own
  if (isMail && lower(linked) !== lower(own)) return bookProblem('other-address', { address: own, userid: linked })
  if (found?.unknownState !== undefined) return bookProblem('unknown-state', { state: found.unknownState })
  const userid = found?.id ?? own
  const other = ownerOf.get(lower(userid)) ?? id
  if (other !== id) return bookProblem('linked-already', { userid })
  const owner = byMobile.get(mobile ?? '')
  return owner && owner.id !== found?.id ? bookProblem('mobile-taken', { userid: owner.id }) : null
}

type Change = {
  desired: BookValues
  organizationId: string
  link: { isDisabled: boolean; sent: BookValues | null } | undefined
} & Pick<Indexed, 'managed' | 'idOf' | 'isMail'>

function personChange(found: BookPerson, { desired, organizationId, link, managed, idOf, isMail }: Change) {
  const before: BookValues = {}
  const after: BookValues = {}
  for (const field of ['name', 'mobile', 'email'] as const) {
    const value = desired[field]
    const now = found[field] ?? link?.sent?.[field] ?? ''
    if (value === undefined || value === now) continue
    before[field] = now
    after[field] = value
  }
  const ours = found.departments.filter((id) => managed.has(id))
  const isMoved = !isMail && (ours.length !== 1 || ours[0] !== idOf.get(organizationId))
  if (isMoved) {
    before.departments = found.departments
    Object.assign(after, { organizationId, kept: found.departments.filter((id) => !managed.has(id)) })
  }
  if (link?.isDisabled && found.isDisabled) {
    before.isDisabled = true
    after.isDisabled = false
  }
  if (Object.keys(after).length === 0) return { outcome: 'unchanged' as const, before: null, after: null }
  return { outcome: isMoved ? ('moved' as const) : ('changed' as const), before, after }
}

function newProblem(account: string, { mobile, email }: BookValues, vendor: BookVendor): BookProblem | null {
  if (isMailProvider(vendor)) return null
  if (!/^[A-Za-z0-9][\w@.-]{0,63}$/.test(account)) return bookProblem('bad-userid')
  if (vendor === 'dingding') return mobile ? null : bookProblem('no-mobile')
  return mobile || email ? null : bookProblem('no-contact')
}

/** Linked people and departments that are no longer sent. Departments always stay. */
function planMissing(world: BookWorld, { leavers, roots }: Options): BookPlanRow[] {
  const rootIds = roots.map(({ organizationId }) => organizationId)
  const departments = new Set(organizationsBelow(world.organizations, rootIds).map(({ id }) => id))
  const people = new Set(world.people.map(({ id }) => id))
  const remoteById = new Map(world.book.map((one) => [lower(one.id), one]))
  const gone = world.links.filter(({ kind, localId }) => !(kind === 'department' ? departments : people).has(localId))
  return gone.map(({ kind, localId, externalId }): BookPlanRow => {
    const row = { kind, localId, externalId, problem: null } as const
    const found = kind === 'person' ? remoteById.get(lower(externalId)) : undefined
    const values = found ? leaverValues(found, leavers) : null
    return values ? { ...row, outcome: 'leaver', ...values } : { ...row, outcome: 'missing', before: null, after: null }
  })
}

function leaverValues({ isDisabled, unknownState }: BookPerson, leavers: Options['leavers']) {
  if (leavers === 'delete') return { before: { isDeleted: false }, after: { isDeleted: true } }
  if (leavers === 'keep' || isDisabled || unknownState !== undefined) return null
  return { before: { isDisabled: false }, after: { isDisabled: true } }
}
