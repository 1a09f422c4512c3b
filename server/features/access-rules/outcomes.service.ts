import {
  DEFAULT_OUTCOME_DAYS,
  type listRuleOutcomes,
  MAX_OUTCOME_DAYS,
  MAX_SEARCHED_OUTCOMES,
  SETTINGS_RULES,
} from '#shared/contract/access-rules.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { findSearchEnd, pageOfOutcomes } from './outcomes.store.ts'

const SETTINGS_RULE_IDS: readonly string[] = Object.values(SETTINGS_RULES)

/** Logins that rules applied to: what the rules did or, in report-only mode, would have done. */
export async function findOutcomes(
  ctx: Context,
  query: Input<typeof listRuleOutcomes>['query'],
): Promise<Output<typeof listRuleOutcomes>> {
  const { language } = ctx.client
  const to = query.to ? new Date(query.to) : new Date(ctx.now().getTime() + 1)
  const earliest = new Date(to.getTime() - MAX_OUTCOME_DAYS * DAY_MS)
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - DEFAULT_OUTCOME_DAYS * DAY_MS)
  const period = { from: from < earliest ? earliest : from, to }
  const searchEnd = await findSearchEnd(ctx.db, period, MAX_SEARCHED_OUTCOMES)
  const filters = { ...query, ...period, ...(searchEnd && { from: searchEnd }) }
  const { records: rows, ...total } = await pageOfOutcomes(ctx, filters)
  const nameOf = (rule: string, name: string) =>
    SETTINGS_RULE_IDS.includes(rule) ? ctx.translate(language, `audit-field.${name}`) : name
  const records = rows.map(({ userId, userName, said, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    person: userId && userName ? { id: userId, name: userName } : null,
    outcomes: said.map(({ rule, name, outcome, mode }) => ({
      rule,
      name: nameOf(rule, name),
      outcome,
      did: mode === 'on',
    })),
  }))
  return { records, ...total, searchedBackTo: toIso(searchEnd) }
}
