import { errors } from './scim.errors.ts'
import { type AttributePath, parsePath } from './scim-filter.rules.ts'

/** An object of a request, with its names as sent. */
export type Given = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wrongType = (attribute: string, type: string) => errors['scim.wrong-type']({ params: { attribute, type } })

/** Absent is the same as null. @throws Refusal `scim.wrong-type`. */
export function toText(attribute: string, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') throw wrongType(attribute, 'string')
  return value.trim() === '' ? null : value
}

/** Also in Entra ID's form: "True". @throws Refusal `scim.wrong-type`. */
export function toFlag(attribute: string, value: unknown): boolean {
  const text = String(value).toLowerCase()
  if ((typeof value === 'boolean' || typeof value === 'string') && (text === 'true' || text === 'false'))
    return text === 'true'
  throw wrongType(attribute, 'boolean')
}

/** The one value of several that is stored: of this type, else the primary one, else the first. @throws Refusal `scim.wrong-type`. */
export function toOneOf(attribute: string, value: unknown, type: string): string | null {
  const list = (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]) as unknown[]
  const values = list.map((one) => {
    if (typeof one === 'string') return { value: one }
    if (!isObject(one)) throw wrongType(attribute, 'complex')
    return lowerKeys(one)
  })
  const typed = values.find((one) => String(one['type']).toLowerCase() === type)
  const chosen = typed ?? values.find((one) => String(one['primary']).toLowerCase() === 'true') ?? values[0]
  return chosen ? toText(`${attribute}.value`, chosen['value']) : null
}

/** Attribute names are compared ignoring case (RFC 7643 2.1). */
export const lowerKeys = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))

/** An object of a request, with its names in lower case. @throws Refusal `scim.wrong-type`. */
export function toObject(attribute: string, value: unknown): Given {
  if (!isObject(value)) throw wrongType(attribute, 'complex')
  return lowerKeys(value)
}

export type PatchStep = {
  verb: 'add' | 'remove' | 'replace'
  path: AttributePath
  value: unknown
  /** The operation had a path; otherwise it is a name within its value. */
  isNamed: boolean
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const VERBS = ['add', 'remove', 'replace'] as const
const MAX_PATCH_OPERATIONS = 200

/**
 * The steps of a PATCH, one per attribute. An operation without a path names its attributes in its value, also in Entra ID's forms:
 * `name.familyName`, `urn:…:User:department`, `emails[type eq "work"].value`.
 * @throws Refusal `scim.bad-syntax`, `scim.bad-path`, `scim.no-target`.
 */
export function readPatch(body: unknown): PatchStep[] {
  if (!isObject(body)) throw errors['scim.bad-syntax']({ params: { near: 'body' } })
  const { operations, schemas } = lowerKeys(body)
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(PATCH_SCHEMA)))
    throw errors['scim.bad-syntax']({ params: { near: 'schemas' } })
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_PATCH_OPERATIONS)
    throw errors['scim.bad-syntax']({ params: { near: 'Operations' } })
  return operations.flatMap(readOperation)
}

function readOperation(operation: unknown): PatchStep[] {
  const { op, path, value } = isObject(operation) ? lowerKeys(operation) : {}
  const verb = VERBS.find((one) => one === String(op).toLowerCase())
  if (!verb) throw errors['scim.bad-syntax']({ params: { near: `op ${String(op).slice(0, 40)}` } })
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw errors['scim.bad-syntax']({ params: { near: 'path' } })
    return [{ verb, path: parsePath(path), value, isNamed: true }]
  }
  if (verb === 'remove') throw errors['scim.no-target']()
  if (!isObject(value)) throw errors['scim.bad-syntax']({ params: { near: 'value' } })
  return Object.entries(value).map(([name, one]) => ({ verb, path: parsePath(name), value: one, isNamed: false }))
}
