import i18next from 'i18next'
import type { AccessRule } from '#shared/contract/access-rules.ts'
import { accessRuleImpact } from '#shared/contract/policy-impact.ts'
import { call } from '../../platform/api.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { ImpactFigures } from '../../ui/ImpactFigures.tsx'
import { fieldsOfRule, type RuleFields } from './rule-fields.ts'

type Draft = { id?: string; rule: Pick<RuleFields, (typeof JUDGED)[number]> | null }

/** The name of a rule has no effect. */
const JUDGED = ['mode', 'who', 'where', 'when', 'applications', 'outcome'] as const

const judgedOf = ({ mode, who, where, when, applications, outcome }: RuleFields): NonNullable<Draft['rule']> => ({
  mode,
  who,
  where,
  when,
  applications,
  outcome,
})

type Props = {
  /** Null: a new rule. */
  rule: AccessRule | null
  /** The edited rule; null: to be deleted; absent: invalid as typed. */
  fields: RuleFields | null | undefined
}

/** What an unsaved rule would do. */
export const RuleImpact = ({ rule, fields }: Props) => (
  <ImpactFigures name="access-rule" draft={draftOf(rule, fields)} load={loadImpact} />
)

function draftOf(rule: AccessRule | null, fields: Props['fields']): Draft | null {
  if (fields === undefined) return null
  const judged = fields && judgedOf(fields)
  const isSame = rule && judged && isSameValue(judgedOf(fieldsOfRule(rule)), judged)
  return isSame ? null : { ...(rule && { id: rule.id }), rule: judged }
}

async function loadImpact(body: Draft, signal: AbortSignal) {
  const { figures, isOnceOn } = await call(accessRuleImpact, { body }, { signal })
  if (isOnceOn) return { figures, title: i18next.t('impact.title.once-on') }
  return body.rule ? { figures } : { figures, title: i18next.t('impact.title.delete') }
}
