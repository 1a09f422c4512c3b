import { CustomField } from '#shared/contract/custom-fields.ts'
import { CUSTOM_TEXT, type testFieldFormat } from '#shared/contract/field-values.ts'
import type { PersonProblem } from '#shared/contract/users.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { compilePattern } from '../../platform/pattern.ts'
import type { Context } from '../../platform/platform.ts'
import { formatProblem, readCustomValue } from '../account-fields/index.ts'
import { type Validated, validateAccount, validateFields } from './person-fields.rules.ts'

type FormatTestInput = Input<typeof testFieldFormat>['body']

const TEXT = CustomField.parse({ key: 'tested', kind: 'text', name: 'tested' })

/** A value as it would be stored after the product's own checks of its field. */
function keep(ctx: Context, { field, value }: FormatTestInput): Validated<string | null> {
  if (field === CUSTOM_TEXT) return readCustomValue(TEXT, value)
  if (field === 'account') return validateAccount(value)
  const { fields, problems } = validateFields({ account: '', [field]: value }, ctx.now(), [])
  const [first] = problems
  return first ? { problem: first.problem } : { value: Object(fields)[field] }
}

/** Validates a value as for a person, by rules that may not be saved yet. */
export function judgeFormat(ctx: Context, input: FormatTestInput): Output<typeof testFieldFormat> {
  const { format } = input
  const say = (key: string, params?: Record<string, string>) => ctx.translate(ctx.client.language, key, params)
  if (typeof format !== 'string' && compilePattern(format.pattern) === null) {
    const label = say('audit-field.pattern')
    return { reason: say('errors.account-fields.bad-pattern', { field: label }), kept: null }
  }
  const checked = keep(ctx, input)
  if ('problem' in checked) return refused(checked.problem)
  if (checked.value === null) return refused('missing')
  const problem = formatProblem(format, checked.value)
  return problem ? refused(problem) : { reason: null, kept: checked.value }

  function refused(problem: PersonProblem) {
    return { reason: say(`person-problem.${problem}`), kept: null }
  }
}
