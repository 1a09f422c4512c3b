import { AttributeName, type AttributeSource, type ReleasedAttribute } from '#shared/contract/attributes.ts'

/** Common directory names for our attributes, in lower case. */
const SOURCES: Record<string, AttributeSource> = {
  uid: 'account',
  username: 'account',
  samaccountname: 'account',
  account: 'account',
  employeenumber: 'account',
  studentid: 'account',
  cn: 'name',
  name: 'name',
  displayname: 'name',
  nickname: 'nickname',
  alias: 'alias',
  mail: 'mailbox',
  email: 'mailbox',
  mailbox: 'mailbox',
  mobile: 'phone',
  phone: 'phone',
  telephonenumber: 'phone',
  phonenumber: 'phone',
  gender: 'gender',
  sex: 'gender',
  birthday: 'birthday',
  birthdate: 'birthday',
  ou: 'organization',
  department: 'organization',
  organization: 'organization',
  organizationcode: 'organizationCode',
  departmentnumber: 'organizationCode',
  category: 'category',
  usertype: 'category',
  edupersonprimaryaffiliation: 'category',
  edupersonaffiliation: 'category',
  categorycode: 'categoryCode',
  roles: 'roles',
  memberof: 'roles',
  groupmembership: 'roles',
}

export const sourceOf = (name: string): AttributeSource | undefined =>
  Object.hasOwn(SOURCES, name.toLowerCase()) ? SOURCES[name.toLowerCase()] : undefined

type ReadAttributes = { attributes: ReleasedAttribute[]; unknown: string[]; isEverything: boolean }

const NOTHING: ReadAttributes = { attributes: [], unknown: [], isEverything: false }

/** A release policy of the file as released attributes; a list may be wrapped as `["java.util.ArrayList", […]]`. */
export function readReleasePolicy(policy: unknown): ReadAttributes {
  if (typeof policy !== 'object' || policy === null) return NOTHING
  const { '@class': kind = '', allowedAttributes } = policy as Record<string, unknown>
  const name = String(kind).split('.').at(-1) ?? ''
  if (name.startsWith('ReturnAll') && !name.startsWith('ReturnAllowed')) return { ...NOTHING, isEverything: true }
  if (name.startsWith('ReturnAllowed')) return attributesOf(listOf(allowedAttributes).map((one) => [one, one]))
  if (name.startsWith('ReturnMapped')) return attributesOf(pairsOf(allowedAttributes))
  return NOTHING
}

/** The strings of a list, whatever Java collection it is wrapped in. */
export function listOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  const [first, second] = value
  const inner = typeof first === 'string' && first.startsWith('java.util.') && Array.isArray(second) ? second : value
  return inner.filter((one) => typeof one === 'string')
}

function pairsOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([source]) => source !== '@class')
    .flatMap(([source, names]) => listOf(names).map((name): [string, string] => [source, name]))
}

function attributesOf(pairs: [source: string, name: string][]): ReadAttributes {
  const attributes = new Map<string, ReleasedAttribute>()
  const unknown: string[] = []
  for (const [source, name] of pairs) {
    const from = sourceOf(source)
    if (from && AttributeName.safeParse(name).success) attributes.set(name, { name, from })
    else unknown.push(source)
  }
  return { attributes: [...attributes.values()].slice(0, 100), unknown, isEverything: false }
}
