import {
  FIELD_RULE_KEYS,
  FieldPattern,
  type FieldRuleKey,
  type FieldRuleValues,
} from '#shared/contract/account-fields.ts'
import { compilePattern } from '../../platform/pattern.ts'

/** Rules whose own format no engine of linear time takes. */
export const badPatterns = (values: FieldRuleValues): FieldRuleKey[] =>
  FIELD_RULE_KEYS.filter((key) => {
    const own = FieldPattern.safeParse(values[key])
    return own.success && compilePattern(own.data.pattern) === null
  })
