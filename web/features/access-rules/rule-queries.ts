import { queryClient } from '../../platform/queries.ts'

/** Prefix of the query keys that depend on the rules. */
export const RULES_KEY = 'access-rules'
/** What the rules did: unaffected by changes to them. */
export const OUTCOMES_KEY = 'access-rule-outcomes'

/** Refreshes what depends on the rules, including their history and the notice about unconfirmed changes. */
export async function refreshRules(): Promise<void> {
  const keys = [[RULES_KEY], ['changes'], ['unconfirmed-changes']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
