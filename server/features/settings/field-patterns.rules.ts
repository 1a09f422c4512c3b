import { FIELD_RULE_KEYS, type FieldRuleKey, type FieldRuleValues } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { FieldPattern } from '#shared/contract/field-rules.ts'
import { compilePattern } from '../../platform/pattern.ts'

/** Rules whose format is not a valid RE2 pattern. */
export const badPatterns = (values: FieldRuleValues): FieldRuleKey[] =>
  FIELD_RULE_KEYS.filter((key) => isBad(values[key]))

function isBad(format: unknown): boolean {
  const own = FieldPattern.safeParse(format)
  return own.success && compilePattern(own.data.pattern) === null
}

/** The same for custom fields. */
export const badCustomPatterns = ({ custom = [] }: FieldRuleValues): CustomField[] =>
  custom.filter(({ format }) => isBad(format))
