import type { AttributeSource, ReleasedAttribute } from '#shared/contract/attributes.ts'

/** What may be released of a person; roles are codes. */
export type Person = Record<Exclude<AttributeSource, 'roles'>, string | null> & { roles: string[] }

/** What an application would learn of a person: under which name, and each answer as it would be sent. */
export type Released = {
  /** Null: the person has no value for it, which refuses the login. */
  userName: string | null
  answers: { name: 'cas-xml' | 'cas-json' | 'id-token' | 'userinfo' | 'oauth-profile'; text: string }[]
}

const valuesOf = (person: Person, source: AttributeSource): string[] => {
  const value = person[source]
  if (Array.isArray(value)) return value
  return value === null || value === '' ? [] : [value]
}

/**
 * What an application gets for a person: only what its allow list names, under the listed names. Values are lists;
 * an attribute without a value is left out.
 */
export function releasedAttributes(attributes: readonly ReleasedAttribute[], person: Person): Map<string, string[]> {
  const released = new Map<string, string[]>()
  for (const attribute of attributes) {
    const values = 'from' in attribute ? valuesOf(person, attribute.from) : [attribute.value]
    if (values.length > 0) released.set(attribute.name, [...(released.get(attribute.name) ?? []), ...values])
  }
  return released
}

/** The user name an application sees; null when the person has no value for it, which refuses the ticket. */
export const userNameFor = (userAttribute: string, person: Person): string | null =>
  valuesOf(person, userAttribute as AttributeSource)[0] ?? null
