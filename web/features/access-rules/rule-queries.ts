import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the rules. */
export const RULES_KEY = 'access-rules'
/** Of what the rules did: a changed rule changes nothing of it. */
export const OUTCOMES_KEY = 'access-rule-outcomes'

export const refreshRules = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [RULES_KEY] })
