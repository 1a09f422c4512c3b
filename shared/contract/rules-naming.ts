import { z } from 'zod'
import { RULE_MODES, RULE_OUTCOMES, RULE_REFERENCES } from './access-rules.ts'
import { Id, post } from './endpoint.ts'

/**
 * What becomes of a rule when what it names is deleted. `prevents`: the deletion is refused while the rule is enforced,
 * because it would then ask everyone. `everyone`, `every-application`: it would apply to all of them. `nobody`: it
 * applies to nobody any more. `rest`: to the rest of what it names.
 */
export const RULE_FATES = ['prevents', 'everyone', 'every-application', 'nobody', 'rest'] as const
export type RuleFate = (typeof RULE_FATES)[number]

const NamingRule = z.object({
  id: Id,
  /** In the caller's language. */
  shownName: z.string(),
  mode: z.enum(RULE_MODES),
  outcome: z.enum(RULE_OUTCOMES),
  /** What it names of the given, in the caller's language. */
  names: z.array(z.string()),
  fate: z.enum(RULE_FATES),
})

export const rulesNaming = post(
  '/access_rule/naming/',
  'superUser',
  z.strictObject({
    field: z.enum(RULE_REFERENCES).exclude(['where.ranges']),
    /** As the field has them: codes of categories, ids of organisations and roles, `appId`s. */
    values: z.array(z.string().min(1).max(100)).min(1).max(1000),
  }),
  z.object({ rules: z.array(NamingRule) }),
  { summary: 'The access rules that name something, whatever their mode, and what deleting it would do to each' },
)
export type RulesNaming = z.infer<typeof rulesNaming.output>
