import { attributeKey } from './scim-schemas.rules.ts'
import { type Given, isObject } from './scim-values.rules.ts'

export type Projection = { only: ReadonlySet<string> | null; without: ReadonlySet<string> }

const MAX_ATTRIBUTES = 50

const names = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [])
    .slice(0, MAX_ATTRIBUTES)
    .map((name) => attributeKey(String(name).trim()))
    .filter(Boolean)

/** `attributes` and `excludedAttributes` (RFC 7644 3.9): of both, the first counts. */
export function readProjection({ attributes, excludedAttributes }: Given): Projection {
  const only = names(attributes)
  return {
    only: only.length > 0 ? new Set(only) : null,
    without: new Set(only.length > 0 ? [] : names(excludedAttributes)),
  }
}

/** Attributes that are always returned. */
const ALWAYS = new Set(['schemas', 'id'])

/** Is the attribute, or a part of it, requested? */
export const isAsked = ({ only, without }: Projection, name: string): boolean =>
  only ? [...only].some((one) => one === name || one.startsWith(`${name}.`)) : !without.has(name)

/** The resource with the requested attributes. */
export function project(resource: Given, projection: Projection): Given {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const key = attributeKey(name)
      if (ALWAYS.has(key)) return [[name, value]]
      const joint = name.includes(':') ? ':' : '.'
      const part = projectParts(value, (sub) => `${key}${joint}${sub}`, projection, key)
      return part === undefined ? [] : [[name, part]]
    }),
  )
}

function projectParts(value: unknown, nameOf: (sub: string) => string, { only, without }: Projection, key: string) {
  const isWhole = only ? only.has(key) : !without.has(key)
  const isKept = (sub: string) => {
    const name = nameOf(sub.toLowerCase())
    return only ? isWhole || only.has(name) : isWhole && !without.has(name)
  }
  const pick = (one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).filter(([sub]) => isKept(sub))) : one
  if (Array.isArray(value)) {
    const list = value.map(pick)
    return list.some((one) => !isObject(one) || Object.keys(one).length > 0) ? list : isWhole ? list : undefined
  }
  if (!isObject(value)) return isWhole ? value : undefined
  const picked = pick(value) as Given
  return Object.keys(picked).length > 0 || isWhole ? picked : undefined
}
