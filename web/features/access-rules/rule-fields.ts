import i18next from 'i18next'
import type { z } from 'zod'
import { type AccessRule, type AccessRuleFields, LOCKS_OUT, type LocksOutData } from '#shared/contract/access-rules.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'

export type RuleFields = z.output<typeof AccessRuleFields>

/** The fields of a stored rule. */
export const fieldsOfRule = (rule: AccessRule): RuleFields => ({
  name: rule.name,
  names: rule.names,
  mode: rule.mode,
  who: rule.who,
  where: rule.where,
  when: rule.when,
  applications: rule.applications,
  outcome: rule.outcome,
  message: rule.message,
  messages: rule.messages,
})

/** Saves; a refusal because somebody would be locked out names the rule that would do it. */
export async function savingRule<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (!isRefusal(error, LOCKS_OUT)) throw error
    const { rule, whom } = error.data as LocksOutData
    const message = i18next.t(`access-rule.locks-out.${whom}`, { name: rule.name })
    throw new Refusal(error.state, error.code, message, { data: error.data, requestId: error.requestId })
  }
}
