import { z } from 'zod'
import { RULE_MODES, RULE_OUTCOMES, RULE_REFERENCES } from './access-rules.ts'
import { ApplicationFilters } from './application-manage.ts'
import { Id, post } from './endpoint.ts'
import { selectionOf } from './selection.ts'

/**
 * What becomes of a rule when what it names is deleted. `prevents`: the deletion is refused while the rule is enforced,
 * because it would then ask everyone. `everyone`, `every-application`: it would apply to all of them. `nobody`: it
 * applies to nobody any more. `rest`: to the rest of what it names.
 */
export const RULE_DELETION_EFFECTS = ['prevents', 'everyone', 'every-application', 'nobody', 'rest'] as const
export type RuleDeletionEffect = (typeof RULE_DELETION_EFFECTS)[number]

const NamingRule = z.object({
  id: Id,
  /** In the caller's language. */
  shownName: z.string(),
  mode: z.enum(RULE_MODES),
  outcome: z.enum(RULE_OUTCOMES),
  /** What it names of the given, in the caller's language. */
  names: z.array(z.string()),
  effect: z.enum(RULE_DELETION_EFFECTS),
})

const RulesNaming = z.object({ rules: z.array(NamingRule) })
export type RulesNaming = z.infer<typeof RulesNaming>

export const rulesNaming = post(
  '/access_rule/naming/',
  'superUser',
  z.strictObject({
    field: z.enum(RULE_REFERENCES).exclude(['where.ranges']),
    /** As the field has them: codes of categories, ids of organisations and roles, `appId`s. */
    values: z.array(z.string().min(1).max(100)).min(1).max(1000),
  }),
  RulesNaming,
  { summary: 'The access rules that name something, whatever their mode, and what deleting it would do to each' },
)

export const rulesNamingApplications = post(
  '/application_manage/rules_naming/',
  'superUser',
  z.strictObject({ selection: selectionOf(ApplicationFilters) }),
  RulesNaming,
  {
    summary: 'The access rules that name the selected applications, and what deleting these would do to each',
    errors: ['selection.changed'],
  },
)
