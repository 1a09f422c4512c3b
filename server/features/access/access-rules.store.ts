import type { RuleReference } from '#shared/contract/access-rules.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import type { Reference, StoredRule } from './access-rules.types.ts'

export type RuleRow = StoredRule & {
  version: number
  updatedAt: Date
  /** Names of its references when it was saved, by `referenceKey`. */
  called: Record<string, string>
}

type StoredColumns = Omit<RuleRow, 'who' | 'where' | 'when' | 'applications' | 'settingsKey'> & {
  conditions: Pick<StoredRule, 'who' | 'where' | 'when' | 'applications'>
}

/** At most 200. */
export async function listStoredRules(db: Db): Promise<RuleRow[]> {
  const rows = await db<StoredColumns[]>`
    select id, name, names, mode, outcome, conditions, message, messages, called, version, updated_at
    from access_rules order by name`
  return rows.map(({ conditions, ...row }) => ({ ...row, ...conditions, settingsKey: null }))
}

export type FoundReference = Omit<RuleReference, 'state'> & { isOff: boolean }

/** Those of the references that exist, with their names. */
export async function findReferences(
  db: Db,
  references: readonly Reference[],
  language: Language,
): Promise<FoundReference[]> {
  if (references.length === 0) return []
  const of = (field: Reference['field']) => references.filter((one) => one.field === field).map(({ value }) => value)
  return await db<FoundReference[]>`
    select 'who.categories' as field, c.code as value, ${localized(db, 'c', language)} as name, false as is_off
    from user_categories c where c.code = any(${of('who.categories')})
    union all
    select 'who.organizations', o.id::text, ${localized(db, 'o', language)}, false
    from organizations o where o.id = any(${of('who.organizations')}::text[]::uuid[])
    union all
    select 'who.roles', r.id::text, ${localized(db, 'r', language)}, false
    from roles r where r.id = any(${of('who.roles')}::text[]::uuid[])
    union all
    select 'where.ranges', n.id::text, ${localized(db, 'n', language)}, not n.enabled
    from ip_ranges n where n.id = any(${of('where.ranges')}::text[]::uuid[])
    union all
    select 'applications', a.app_id, ${localized(db, 'a', language)}, false
    from applications a where a.app_id = any(${of('applications')}) and a.deleted_at is null`
}
