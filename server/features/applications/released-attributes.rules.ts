import type { AttributeSource, ProductSource, ReleasedAttribute } from '#shared/contract/attributes.ts'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { Application } from './registry.store.ts'

/** Attributes of a person that may be released; roles are codes. */
export type PersonAttributes = Record<Exclude<ProductSource, 'roles'>, string | null> & {
  roles: string[]
  /** Custom fields by key; null also if none is released. */
  customValues: Record<string, string> | null
}

/** What an application would learn about a person: the user name, and each answer as it would be sent. */
export type ReleasePreview = {
  /** Null: the person has no value for it, so the login is refused. */
  userName: string | null
  answers: { name: 'cas-xml' | 'cas-json' | 'id-token' | 'userinfo' | 'oauth-profile'; text: string }[]
}

const valuesOf = (person: PersonAttributes, source: AttributeSource): string[] => {
  const value = isCustomName(source) ? (person.customValues?.[keyOfCustom(source)] ?? null) : person[source]
  if (Array.isArray(value)) return value
  return value === null || value === '' ? [] : [value]
}

/**
 * The attributes that an application gets for a person: only those on its allow list, under the listed names. Values are lists; an
 * attribute without a value is left out.
 */
export function releasedAttributes(
  attributes: readonly ReleasedAttribute[],
  person: PersonAttributes,
): Map<string, string[]> {
  const released = new Map<string, string[]>()
  for (const attribute of attributes) {
    const values = 'from' in attribute ? valuesOf(person, attribute.from) : [attribute.value]
    if (values.length > 0) released.set(attribute.name, [...(released.get(attribute.name) ?? []), ...values])
  }
  return released
}

/** Characters that XML 1.0 can't represent in any form. */
export const INVALID_XML_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** A value that every protocol transmits unchanged: dropping a character from a user name could make it another person's. */
export const isUsableUserName = (value: string | null): value is string =>
  value !== null &&
  value !== '' &&
  value === value.trim() &&
  !/\p{Cc}/u.test(value) &&
  value.search(INVALID_XML_CHARACTERS) < 0

/** The user name for an application; null if the person has no usable value: the gate then refuses the login. */
export function userNameFor(userAttribute: string, person: PersonAttributes): string | null {
  const value = valuesOf(person, userAttribute as AttributeSource)[0] ?? null
  return isUsableUserName(value) ? value : null
}

/** Which data in further tables is needed, because it is released. */
export type ReleaseNeeds = { affiliation: boolean; roles: boolean; custom: boolean }

/** Department, category and personnel type of a person, by attribute or scope. */
const AFFILIATION: ReadonlySet<string> = new Set([
  'organization',
  'organizationCode',
  'category',
  'categoryCode',
  'personnelType',
  'personnelTypeCode',
  'personnel_type',
])

const needsOf = new WeakMap<Application, ReleaseNeeds>()

/** Which further tables the release to this application needs. */
export function releaseNeeds(application: Application): ReleaseNeeds {
  const known = needsOf.get(application)
  if (known) return known
  const { attributes, client } = application
  const named = [...attributes.flatMap((one) => ('from' in one ? [one.from as string] : [])), ...(client?.scopes ?? [])]
  const needs = {
    affiliation: named.some((name) => AFFILIATION.has(name)),
    roles: named.includes('roles'),
    custom: named.some(isCustomName),
  }
  needsOf.set(application, needs)
  return needs
}
