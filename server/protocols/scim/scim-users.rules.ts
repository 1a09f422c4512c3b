import type { PersonChange, PersonGroup, ScimPerson } from '../../features/scim-provisioning/index.ts'
import { errors } from './scim.errors.ts'
import { matchesValue } from './scim-filter.rules.ts'
import { attributeKey, ENTERPRISE_SCHEMA, entryOf, USER_SCHEMA } from './scim-schemas.rules.ts'
import { type Given, type PatchStep, toFlag, toObject, toOneOf, toText } from './scim-values.rules.ts'

/** Parts of a name; the first that is present counts: a person has one name here. */
type Names = { display?: string | null; formatted?: string | null; family?: string | null; given?: string | null }
type Draft = { change: PersonChange; names: Names }

/** Attributes of RFC 7643 that are not stored. A password is one of them: new users activate their account. */
const IGNORED = new Set([
  ...['schemas', 'password', 'profileurl', 'title', 'preferredlanguage', 'locale', 'timezone', 'ims', 'photos'],
  ...['addresses', 'entitlements', 'roles', 'x509certificates', 'name.middlename', 'name.honorificprefix'],
  ...['name.honorificsuffix', 'enterprise:employeenumber', 'enterprise:costcenter', 'enterprise:organization'],
  ...['enterprise:division', 'enterprise:manager', 'enterprise:manager.value', 'enterprise:manager.displayname'],
])
const READ_ONLY = new Set(['id', 'meta', 'groups'])

const SETTERS: Readonly<Record<string, (draft: Draft, value: unknown) => void>> = {
  username: ({ change }, value) => {
    const account = toText('userName', value)
    if (account === null) throw errors['scim.wrong-type']({ params: { attribute: 'userName', type: 'string' } })
    change.account = account.trim()
  },
  externalid: ({ change }, value) => {
    change.externalId = toExternalId(value)
  },
  displayname: ({ names }, value) => {
    names.display = toText('displayName', value)
  },
  name: (draft, value) => {
    if (value !== null) for (const [key, one] of Object.entries(toObject('name', value))) set(draft, `name.${key}`, one)
  },
  'name.formatted': ({ names }, value) => {
    names.formatted = toText('name.formatted', value)
  },
  'name.familyname': ({ names }, value) => {
    names.family = toText('name.familyName', value)
  },
  'name.givenname': ({ names }, value) => {
    names.given = toText('name.givenName', value)
  },
  nickname: ({ change }, value) => {
    change.nickname = toText('nickName', value)
  },
  emails: ({ change }, value) => {
    change.mailbox = toOneOf('emails', value, 'work')
  },
  'emails.value': ({ change }, value) => {
    change.mailbox = toText('emails.value', value)
  },
  phonenumbers: ({ change }, value) => {
    change.phone = toOneOf('phoneNumbers', value, 'mobile')
  },
  'phonenumbers.value': ({ change }, value) => {
    change.phone = toText('phoneNumbers.value', value)
  },
  active: ({ change }, value) => {
    change.active = toFlag('active', value)
  },
  usertype: ({ change }, value) => {
    change.category = toText('userType', value)
  },
  enterprise: (draft, value) => {
    if (value === null) return
    for (const [key, one] of Object.entries(toObject(ENTERPRISE_SCHEMA, value))) set(draft, `enterprise:${key}`, one)
  },
  'enterprise:department': ({ change }, value) => {
    change.department = toText('department', value)
  },
}

/** A client's own id for a resource. @throws Refusal `scim.wrong-type`. */
export function toExternalId(value: unknown): string | null {
  const text = toText('externalId', value)
  if (text !== null && text.length > 255)
    throw errors['scim.wrong-type']({ params: { attribute: 'externalId', type: 'string (255)' } })
  return text
}

/** @returns whether the attribute exists */
function set(draft: Draft, key: string, value: unknown): boolean {
  const setter = entryOf(SETTERS, key)
  if (setter) setter(draft, value)
  return setter !== undefined || IGNORED.has(key) || READ_ONLY.has(key)
}

const isHan = (text: string) => /\p{Script=Han}/u.test(text)

/** One name from the parts; undefined: none was given. */
function toName({ display, formatted, family, given }: Names): string | undefined {
  const whole = display ?? formatted
  if (whole) return whole
  if (!family && !given) return undefined
  if (!family || !given) return display === undefined && formatted === undefined ? undefined : (family ?? given ?? '')
  return isHan(family + given) ? family + given : `${given} ${family}`
}

function finish({ change, names }: Draft): PersonChange {
  const name = toName(names)
  return name === undefined ? change : { ...change, name }
}

/** A user of a POST or PUT; absent attributes stay unchanged. @throws Refusal `scim.wrong-type`. */
export function readUser(body: unknown): PersonChange {
  const draft: Draft = { change: {}, names: {} }
  for (const [name, value] of Object.entries(toObject('body', body)))
    if (value !== null || !CANT_BE_REMOVED.test(attributeKey(name))) set(draft, attributeKey(name), value)
  return finish(draft)
}

/** A new user: a family name or a given name alone becomes the name. */
export function readNewUser(body: unknown): PersonChange {
  const change = readUser(body)
  if (change.account === undefined)
    throw errors['scim.wrong-type']({ params: { attribute: 'userName', type: 'string' } })
  return change
}

type Current = Pick<ScimPerson, 'mailbox' | 'phone'>

/** The change to a user by a PATCH. @throws Refusal `scim.bad-path`, `scim.read-only`, `scim.wrong-type`, `scim.no-target`. */
export function patchUser(steps: readonly PatchStep[], current: Current): PersonChange {
  const draft: Draft = { change: {}, names: {} }
  for (const step of steps) applyStep(draft, step, current)
  return finish(draft)
}

function applyStep(draft: Draft, { verb, path, value, isNamed }: PatchStep, current: Current): void {
  const base = attributeKey(path.path)
  const key = path.sub === null ? base : `${base}.${path.sub}`
  if (READ_ONLY.has(key) && !isNamed) return
  if (isKept(verb, key)) throw errors['scim.read-only']({ params: { attribute: path.path } })
  if (path.filter && !isMeant(path.filter, base, current)) {
    // A second address, or a fax, which are not stored: the filter matches none of our values.
    if (verb === 'remove') throw errors['scim.no-target']()
    return
  }
  if (SUB_ATTRIBUTES.has(key) || set(draft, key, verb === 'remove' ? null : value)) return
  throw errors['scim.bad-path']({ params: { path: path.path } })
}

const isKept = (verb: PatchStep['verb'], key: string): boolean =>
  READ_ONLY.has(key) || (verb === 'remove' && CANT_BE_REMOVED.test(key))

const CANT_BE_REMOVED = /^(active|username|displayname|name(\..*)?)$/

/** Sub-attributes with one value, which is always the same. */
const SUB_ATTRIBUTES = new Set([
  ...['emails.type', 'emails.primary', 'emails.display'],
  ...['phonenumbers.type', 'phonenumbers.primary', 'phonenumbers.display'],
])

function isMeant(filter: NonNullable<PatchStep['path']['filter']>, base: string, current: Current): boolean {
  if (base === 'emails') return matchesValue(filter, { type: 'work', primary: true, value: current.mailbox })
  if (base === 'phonenumbers') return matchesValue(filter, { type: 'mobile', primary: true, value: current.phone })
  return false
}

type Places = { location: string; groups: readonly PersonGroup[]; groupLocation: (id: string) => string }

/** A weak entity tag: the same version can have several representations. */
export const toEtag = (version: number): string => `W/"${version}"`

/** A person as a SCIM user. */
export function renderUser(person: ScimPerson, { location, groups, groupLocation }: Places): Given {
  const { id, account, externalId, name, nickname, mailbox, phone, enabled, category, department } = person
  return {
    schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName: account,
    name: { formatted: name },
    displayName: name,
    ...(nickname !== null && { nickName: nickname }),
    ...(category !== null && { userType: category }),
    active: enabled,
    ...(mailbox !== null && { emails: [{ value: mailbox, type: 'work', primary: true }] }),
    ...(phone !== null && { phoneNumbers: [{ value: phone, type: 'mobile', primary: true }] }),
    ...(groups.length > 0 && {
      groups: groups.map((group) => ({
        ...{ value: group.id, $ref: groupLocation(group.id), display: group.name, type: 'direct' },
      })),
    }),
    [ENTERPRISE_SCHEMA]: department === null ? {} : { department },
    meta: {
      resourceType: 'User',
      created: person.createdAt.toISOString(),
      lastModified: person.updatedAt.toISOString(),
      location,
      version: toEtag(person.version),
    },
  }
}
