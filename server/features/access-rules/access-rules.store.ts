import type { z } from 'zod'
import {
  type AccessRule,
  type AccessRuleFields,
  type accessRules,
  type RuleReference,
  SETTINGS_RULES,
} from '#shared/contract/access-rules.ts'
import type { Db } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { pageWindow } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import {
  findReferences,
  listStoredRules,
  ReadablePolicy,
  referenceKey,
  referencesOf,
  type StoredRule,
  settingsRules,
} from '../access/index.ts'
import type { ResourceStore } from '../resources/index.ts'
import { errors } from './access-rules.errors.ts'

export type RuleInput = z.output<typeof AccessRuleFields>
export type RuleQuery = Input<typeof accessRules.list>['query']

type Listed = StoredRule & Pick<AccessRule, 'version' | 'setByFile' | 'updatedAt'> & { called: Record<string, string> }

/** All rules, those of the login configuration first. */
async function listEveryRule(ctx: Context): Promise<Listed[]> {
  const { db, client } = ctx
  const { value, version, fileKeys } = await findSettingsDocument(db, 'login')
  const own = await listStoredRules(db)
  const ofSettings = settingsRules(ReadablePolicy.parse(value)).map((rule) => ({
    ...rule,
    name: ctx.translate(client.language, `audit-field.${rule.settingsKey}`),
    version,
    setByFile: fileKeys.includes(rule.settingsKey ?? ''),
    updatedAt: null,
    called: {},
  }))
  return [...ofSettings, ...own.map((row) => ({ ...row, setByFile: false, updatedAt: row.updatedAt.toISOString() }))]
}

/** Rules as the caller sees them, with the names of everything they reference. */
export async function listRuleRows(ctx: Context): Promise<AccessRule[]> {
  const rules = await listEveryRule(ctx)
  const { language } = ctx.client
  const found = await findReferences(ctx.db, rules.flatMap(referencesOf), language)
  const byKey = new Map(found.map((one) => [referenceKey(one), one]))
  return rules.map(({ called, ...rule }) => {
    const references = referencesOf(rule).map((one): RuleReference => {
      const known = byKey.get(referenceKey(one))
      if (!known) return { ...one, name: called[referenceKey(one)] ?? one.value, state: 'deleted' }
      return { ...one, name: known.name, state: known.isOff ? 'off' : 'there' }
    })
    const missing = references.filter(({ state }) => state !== 'there').length
    return { ...rule, shownName: rule.names[language] ?? rule.name, references, missing }
  })
}

function matches(row: AccessRule, { search, mode, outcome, missing }: RuleQuery): boolean {
  const words = [row.name, ...Object.values(row.names), ...row.references.flatMap(({ name, value }) => [name, value])]
  const wanted = search.normalize('NFKC').toLowerCase()
  return (
    (mode === undefined || row.mode === mode) &&
    (outcome === undefined || row.outcome === outcome) &&
    (missing === undefined || row.missing > 0) &&
    words.some((word) => word.normalize('NFKC').toLowerCase().includes(wanted))
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const SORTS: Record<string, (a: AccessRule, b: AccessRule) => number> = {
  name: (a, b) => a.shownName.localeCompare(b.shownName) || compare(a.id, b.id),
  updatedAt: (a, b) => compare(a.updatedAt ?? '', b.updatedAt ?? '') || compare(a.id, b.id),
}

/** Current names, and the last known name of what has been deleted. */
async function namesOf({ db, client }: Context, id: string, fields: RuleInput): Promise<Record<string, string>> {
  const references = referencesOf({ ...fields, id, settingsKey: null })
  const found = await findReferences(db, references, client.language)
  const before = (await listStoredRules(db)).find((rule) => rule.id === id)?.called ?? {}
  const now = Object.fromEntries(found.map((one) => [referenceKey(one), one.name]))
  const named = references.map(referenceKey)
  return Object.fromEntries(Object.entries({ ...before, ...now }).filter(([key]) => named.includes(key)))
}

const json = (db: Db, value: object) => db`${JSON.stringify(value)}::text::jsonb`

const columnsOf = ({ who, where, when, applications }: RuleInput) => ({ who, where, when, applications })

/** At most 200, so they are filtered and sorted in memory. */
export const rulesStore: ResourceStore<RuleInput, AccessRule, RuleQuery> = {
  async page(ctx, query) {
    const sort = SORTS[query.sort.replace('-', '')] ?? SORTS['name']
    const rows = (await listRuleRows(ctx)).filter((row) => matches(row, query)).toSorted(sort)
    const ordered = query.sort.startsWith('-') ? rows.toReversed() : rows
    const total = ordered.length
    const { reverse, limit, offset } = pageWindow(query, { total })
    const from = reverse ? total - offset - limit : offset
    return { records: ordered.slice(from, from + limit), total }
  },
  find: async (ctx, ids) => (await listRuleRows(ctx)).filter(({ id }) => ids.includes(id)),
  async insert(ctx, id, fields) {
    const { db } = ctx
    await db`
      insert into access_rules (id, name, names, mode, outcome, conditions, message, messages, called, updated_at)
      values (${id}, ${fields.name}, ${json(db, fields.names)}, ${fields.mode}, ${fields.outcome},
        ${json(db, columnsOf(fields))}, ${fields.message}, ${json(db, fields.messages)},
        ${json(db, await namesOf(ctx, id, fields))}, ${ctx.now()})`
  },
  async update(ctx, id, fields) {
    const { db } = ctx
    await db`
      update access_rules set name = ${fields.name}, names = ${json(db, fields.names)}, mode = ${fields.mode},
        outcome = ${fields.outcome}, conditions = ${json(db, columnsOf(fields))}, message = ${fields.message},
        messages = ${json(db, fields.messages)}, called = ${json(db, await namesOf(ctx, id, fields))},
        version = version + 1, updated_at = ${ctx.now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    refuseSettingsRule(id)
    await db`delete from access_rules where id = ${id}`
  },
}

const SETTINGS_RULE_IDS: readonly string[] = Object.values(SETTINGS_RULES)

/** @throws Refusal `access-rule.in-login-config`. */
export function refuseSettingsRule(id: string | null): void {
  if (id !== null && SETTINGS_RULE_IDS.includes(id)) throw errors['access-rule.in-login-config']()
}

/** Is there such an application, or the portal? */
export async function isApplication(db: Db, appId: string): Promise<boolean> {
  const rows = await db`select from applications where app_id = ${appId} and deleted_at is null`
  return rows.length > 0
}
