import { AccountFields, rulesOf } from '#shared/contract/account-fields.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import {
  type JudgedRule,
  judgeableRule,
  needsOf,
  type RuleNeeds,
  referenceKey,
  referencesOf,
} from './access-decision.rules.ts'
import { findReferences, listStoredRules } from './access-rules.store.ts'
import type { StoredRule } from './access-rules.types.ts'
import { fieldsAskedOfPeople, type RequiredField } from './required-fields.store.ts'
import { ReadablePolicy, settingsRules } from './settings-rules.rules.ts'

export type RulesInForce = {
  /** Those that are active or report only; none while all are suspended. */
  rules: readonly JudgedRule[]
  /** The facts to read about a person who logs in. */
  needs: RuleNeeds
  /** Those evaluated at every entry into an application or the portal, and at each request to the portal. */
  onHops: readonly JudgedRule[]
  hopNeeds: RuleNeeds
  /** Of those, for a server's request, which has no location: no rule with one applies to it. */
  placelessNeeds: RuleNeeds
  /** Whoever logs in without one of these must fill it in first. */
  requiredFields: readonly RequiredField[]
}

/** On the settings' topic, because some rules are settings. */
const TOPIC = 'settings'

/** The access rules in force, cached; a change is seen on every node within a second. */
export const rulesInForce = (platform: Platform & { db?: Db }): Promise<RulesInForce> =>
  platform.cache.read(TOPIC, 'access-rules', async () => {
    const db = platform.db ?? platform.sql
    const [policy, settings] = [await findSettingsDocument(db, 'login'), await findSettingsDocument(db, 'access')]
    if (AccessSettings.parse(settings.value).suspended) return toRulesInForce([])
    const stored = [...settingsRules(ReadablePolicy.parse(policy.value)), ...(await listStoredRules(db))]
    const fields = await findSettingsDocument(db, 'accountFields')
    const values = AccountFields.parse(fields.value)
    const requiredFields = fieldsAskedOfPeople(rulesOf(values), values.custom ?? [])
    return toRulesInForce(await judgeRules(db, stored), requiredFields)
  })

/** Called after a change of rules, in its transaction: every node reads them again. */
export const invalidateAccessRules = (platform: Platform, db: Db): Promise<void> => platform.cache.invalidate(db, TOPIC)

/**
 * Rules in the form that is evaluated, with those of their references that exist.
 * @param assumed a range to be taken as enabled or disabled
 */
export async function judgeRules(
  db: Db,
  stored: readonly StoredRule[],
  assumed?: { range: string; isThere: boolean },
): Promise<JudgedRule[]> {
  const references = stored.flatMap(referencesOf)
  // Names don't matter here.
  const language: Language = 'en'
  const found = await findReferences(db, references, language)
  const there = new Set(found.filter(({ isOff }) => !isOff).map(referenceKey))
  if (assumed) {
    const key = referenceKey({ field: 'where.ranges', value: assumed.range })
    if (assumed.isThere) there.add(key)
    else there.delete(key)
  }
  const gone = new Set(references.map(referenceKey).filter((key) => !there.has(key)))
  return stored.map((rule) => judgeableRule(rule, gone))
}

export function toRulesInForce(
  judged: readonly JudgedRule[],
  requiredFields: readonly RequiredField[] = [],
): RulesInForce {
  const rules = judged.filter(({ mode }) => mode !== 'off')
  const onHops = rules.filter(
    ({ mode, outcome }) => mode === 'on' && (outcome === 'refuse' || outcome === 'second-factor'),
  )
  const placelessNeeds = needsOf(onHops.filter(({ where }) => where === null))
  return { rules, needs: needsOf(rules), onHops, hopNeeds: needsOf(onHops), placelessNeeds, requiredFields }
}

/** If a server sends the password, the person's location is unknown: no rejection may depend on it. */
export function forServers({ rules, onHops, ...rest }: RulesInForce): RulesInForce {
  const withoutPlace = (rule: JudgedRule): JudgedRule =>
    rule.outcome === 'refuse' && rule.where !== null ? { ...rule, where: 'nobody' } : rule
  return { ...rest, rules: rules.map(withoutPlace), onHops: onHops.map(withoutPlace) }
}

/** For people who are only searched for, not judged. */
export const NO_RULES: RulesInForce = toRulesInForce([])
