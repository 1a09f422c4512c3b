import { splitTyped } from '../counted-rows.service.ts'
import { MAX_SOURCE_VALUE, type SourceColumn } from '../data-source.types.ts'
import { flatten } from '../rest/rest-rows.rules.ts'

/** A resource of RFC 7643. */
export type ScimResource = Readonly<Record<string, unknown>>

const MAX_COLUMNS = 256
const MAX_NAME = 200
/** Values of one attribute; no person has more email addresses. */
const MAX_VALUES = 1000

export const isObject = (value: unknown): value is ScimResource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The attributes by their paths, as RFC 7644 3.10 writes them: `name.formatted`, `emails[type eq "work"].value`,
 * `urn:…:enterprise:2.0:User:department`. Several values of one path are joined with `|`.
 */
export function flattenResource(resource: ScimResource): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(resource)) {
    if (name === 'schemas') continue
    const isExtension = name.startsWith('urn:') && isObject(value)
    if (!isExtension) addAttribute(values, name, value)
    else for (const [part, one] of Object.entries(value)) addAttribute(values, `${name}:${part}`, one)
  }
  return values
}

function addAttribute(values: Map<string, string>, name: string, value: unknown): void {
  const several = Array.isArray(value) ? value.slice(0, MAX_VALUES).filter(isObject) : []
  for (const one of several) addValue(values, name, one)
  if (several.length === 0)
    for (const [path, text] of flatten(value)) add(values, path === '' ? name : `${name}.${path}`, text)
}

/** What selects a value, rather than being one. */
const SELECTORS = new Set(['type', 'primary', '$ref'])

/** One value of an attribute with several: among all, among those of its type, and as the primary one. */
function addValue(values: Map<string, string>, name: string, value: ScimResource): void {
  const { type, primary } = value
  const names = [name]
  if (typeof type === 'string' && type !== '') names.push(`${name}[type eq ${JSON.stringify(type)}]`)
  if (primary === true) names.push(`${name}[primary eq true]`)
  for (const [path, text] of flatten(value))
    if (!SELECTORS.has(path)) for (const one of names) add(values, `${one}.${path}`, text)
}

function add(values: Map<string, string>, name: string, text: string): void {
  const before = values.get(name)
  if (name.length > MAX_NAME || (before === undefined && values.size >= MAX_COLUMNS)) return
  // A longer one is cut anyway; readers see that it is too long.
  if (before === undefined || before.length < MAX_SOURCE_VALUE)
    values.set(name, before === undefined ? text : `${before}|${text}`)
}

/** The ordinary words for paths, by which fields are suggested; '': none, although its name looks like one. */
const HEADINGS: Readonly<Record<string, string>> = {
  id: '',
  'name.formatted': 'name',
  'emails[type eq "work"].value': 'mailbox',
  'phoneNumbers[type eq "mobile"].value': 'phone',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'organization',
}

export function toColumn(name: string): SourceColumn {
  const heading = Object.hasOwn(HEADINGS, name) ? HEADINGS[name] : undefined
  return { name, type: 'text', ...(heading !== undefined && { heading }) }
}

/** Paths as typed; they may contain spaces. */
export const splitPaths = (typed: string): string[] => splitTyped(typed, /[,;，；\n]+/)
