import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the rules. */
export const RULES_KEY = 'access-rules'
/** Of what the rules did: a changed rule changes nothing of it. */
export const OUTCOMES_KEY = 'access-rule-outcomes'

/** Everything that a saved rule changes; what locked somebody out is told on top of the page. */
export async function refreshRules(): Promise<void> {
  const keys = [[RULES_KEY], ['unconfirmed-changes']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
