import { foldName } from './fold-name.ts'

export const MIN_ALIAS_LENGTH = 4
export const MAX_ALIAS_LENGTH = 32

/** The rules of an alias, in display order. */
export const ALIAS_RULES = ['length', 'first', 'characters'] as const
export type AliasRule = (typeof ALIAS_RULES)[number]

/** Names that seem to speak for the institution. */
const RESERVED = new Set(
  'admin administrator root system sysadmin security support helpdesk service postmaster webmaster gatehouse'.split(
    ' ',
  ),
)

export const isReservedAlias = (alias: string): boolean => RESERVED.has(foldName(alias).replace(/[._-]/g, ''))

/**
 * The rules that an alias breaks. It begins with a letter, so that it never looks like a student number or a phone
 * number, and has no @, so that it never looks like an email address.
 */
export function brokenAliasRules(alias: string): AliasRule[] {
  const name = foldName(alias)
  return [
    ...(name.length < MIN_ALIAS_LENGTH || name.length > MAX_ALIAS_LENGTH ? (['length'] as const) : []),
    ...(/^[a-z]/.test(name) ? [] : (['first'] as const)),
    ...(/^[a-z\d._-]*$/.test(name) ? [] : (['characters'] as const)),
  ]
}
