export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
/** Whether a group is a role or an organisation, its code and its parent. */
export const GROUP_EXTENSION = 'urn:gatehouse:params:scim:schemas:extension:1.0:Group'

const EXTENSIONS = { [ENTERPRISE_SCHEMA.toLowerCase()]: 'enterprise', [GROUP_EXTENSION.toLowerCase()]: 'group' }

/**
 * One name for an attribute however it is written: `urn:…:User:name.formatted` is `name.formatted`, one of an extension
 * `enterprise:department`.
 */
export function attributeKey(path: string): string {
  const lower = path.toLowerCase()
  if (!lower.startsWith('urn:')) return lower
  const whole = EXTENSIONS[lower]
  if (whole) return whole
  const at = lower.lastIndexOf(':')
  const [schema, name] = [lower.slice(0, at), lower.slice(at + 1)]
  if (schema === USER_SCHEMA.toLowerCase() || schema === GROUP_SCHEMA.toLowerCase()) return name
  const extension = EXTENSIONS[schema]
  return extension ? `${extension}:${name}` : lower
}

/** The entry of a table for a name from outside; objects have `constructor` and others of their own. */
export const entryOf = <Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
