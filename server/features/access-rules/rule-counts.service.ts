import { type countRuleOutcomes, DEFAULT_OUTCOME_DAYS, MAX_COUNTED_LOGINS } from '#shared/contract/access-rules.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { countByRule } from './rule-counts.store.ts'

/** How often each rule applied in the last days, or would have. */
export async function countRules({ db, now }: Context): Promise<Output<typeof countRuleOutcomes>> {
  const since = new Date(now().getTime() - DEFAULT_OUTCOME_DAYS * DAY_MS)
  const { logins, rules } = await countByRule(db, since, MAX_COUNTED_LOGINS)
  return { rules, isComplete: logins < MAX_COUNTED_LOGINS }
}
