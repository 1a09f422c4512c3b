import type { AccessRule } from '#shared/contract/access-rules.ts'
import type { RuleDeletionEffect, RulesNaming } from '#shared/contract/rules-naming.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import {
  asksWhenUnsure,
  judgeableRule,
  listStoredRules,
  ReadablePolicy,
  referenceKey,
  referencesOf,
  settingsRules,
} from '../access/index.ts'
import { errors } from './access-rules.errors.ts'
import { listRuleRows } from './access-rules.store.ts'

type Field = ReturnType<typeof referencesOf>[number]['field']

/**
 * What is named by rules in force that ask for a second factor or a captcha. Without it such a rule fails closed: it would ask everyone.
 * @returns ids of organisations and roles, codes of categories, or ids of applications as clients know them
 */
export async function listNamedByRules(ctx: Context, field: Field): Promise<ReadonlySet<string>> {
  const policy = ReadablePolicy.parse((await findSettingsDocument(ctx.db, 'login')).value)
  const asking = [...settingsRules(policy), ...(await listStoredRules(ctx.db))].filter(
    (rule) => rule.mode === 'on' && asksWhenUnsure(rule),
  )
  const references = asking.flatMap(referencesOf).filter((one) => one.field === field)
  return new Set(references.map(({ value }) => value))
}

/** Called before a deletion. @throws Refusal `access-rule.names-it`. */
export async function refuseIfNamedByRules(ctx: Context, field: Field, value: string): Promise<void> {
  if ((await listNamedByRules(ctx, field)).has(value)) throw errors['access-rule.names-it']()
}

/** The rules that name one of these, and what deleting them does to each. */
export async function listRulesNaming(
  ctx: Context,
  { field, values }: { field: Field; values: readonly string[] },
): Promise<RulesNaming> {
  const given = new Set(values.map((value) => referenceKey({ field, value })))
  const rules = (await listRuleRows(ctx)).flatMap((rule) => {
    const named = rule.references.filter((one) => given.has(referenceKey(one)))
    if (named.length === 0) return []
    const { id, shownName, mode, outcome } = rule
    const names = named.map(({ name }) => name)
    return [{ id, shownName, mode, outcome, names, effect: effectOn(rule, field, given) }]
  })
  return { rules }
}

function effectOn(rule: AccessRule, field: Field, deleted: ReadonlySet<string>): RuleDeletionEffect {
  if (rule.mode === 'on' && asksWhenUnsure(rule)) return 'prevents'
  const gone = rule.references.filter(({ state }) => state !== 'there').map(referenceKey)
  const left = judgeableRule(rule, new Set([...gone, ...deleted]))
  const list = field === 'applications' ? left.applications : left.who
  if (list === null) return field === 'applications' ? 'every-application' : 'everyone'
  return list === 'nobody' ? 'nobody' : 'rest'
}
