import { z } from 'zod'
import {
  AccountFieldsInFile,
  ActivationField,
  FIELD_RULE_KEYS,
  type FieldRuleName,
  type FieldRuleValues,
  LOGIN_NAME_FIELDS,
  partsOf,
} from '#shared/contract/account-fields.ts'
import { badCustomPatterns, badPatterns } from './field-patterns.rules.ts'

const DOCUMENT = 'accountFields'

/** A rule that is true for the listed fields, and false for all others. */
const trueOf = (rule: FieldRuleName, fields: readonly string[]): FieldRuleValues =>
  Object.fromEntries(
    FIELD_RULE_KEYS.filter((key) => partsOf(key)[1] === rule).map((key) => [key, fields.includes(partsOf(key)[0])]),
  )

const isDistinct = (list: readonly string[]) => new Set(list).size === list.length

/** Keys of other documents that became field rules; the bootstrap file and former states may still contain them. */
const MOVED = {
  login: {
    key: 'loginNames',
    list: z.array(z.enum(LOGIN_NAME_FIELDS)).min(1),
    rule: 'isLoginName',
  },
  activation: {
    key: 'fields',
    list: z
      .array(ActivationField)
      .min(2)
      .refine((fields) => fields.includes('account'), 'the account has to be among them')
      .refine(isDistinct, 'a field stands in the list twice'),
    rule: 'askAtActivation',
  },
} as const satisfies Record<string, { key: string; list: z.ZodType<readonly string[]>; rule: FieldRuleName }>

type Issue = { path: PropertyKey[]; message: string }
type Given = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null

/** A document without keys that have moved to another one. */
export function withoutMovedKeys(name: string, value: Given): Given {
  if (!Object.hasOwn(MOVED, name)) return value
  const { [MOVED[name as keyof typeof MOVED].key]: _, ...rest } = value
  return rest
}

function rulesInFile(given: unknown, issues: Issue[]): FieldRuleValues {
  const parsed = AccountFieldsInFile.safeParse(given)
  if (!parsed.success) {
    issues.push(...parsed.error.issues.map(({ path, message }) => ({ path: [DOCUMENT, ...path], message })))
    return {}
  }
  const { custom, ...fields } = parsed.data
  const values: FieldRuleValues = Object.fromEntries(
    Object.entries(fields).flatMap(([field, rules]) =>
      Object.entries(rules).map(([name, value]) => [`${field}.${name}`, value]),
    ),
  )
  if (custom) values.custom = custom
  for (const { key } of badCustomPatterns(values))
    issues.push({ path: [DOCUMENT, 'custom', key, 'format'], message: 'no pattern, or too large a one' })
  for (const key of badPatterns(values))
    issues.push({ path: [DOCUMENT, ...partsOf(key)], message: 'no pattern, or too large a one' })
  return values
}

/** The settings of a bootstrap file by the documents they are stored in, and the problems of keys that move. */
export function toDocuments(settings: Given): { documents: Given; issues: Issue[] } {
  const issues: Issue[] = []
  const { [DOCUMENT]: given, ...documents }: Record<string, unknown> = settings
  const rules = given === undefined ? {} : rulesInFile(given, issues)
  for (const [name, { key, list, rule }] of Object.entries(MOVED)) {
    const document = documents[name]
    if (!isObject(document) || !Object.hasOwn(document, key)) continue
    const rest = withoutMovedKeys(name, document)
    if (Object.keys(rest).length > 0) documents[name] = rest
    else delete documents[name]
    const parsed = list.safeParse(document[key])
    if (!parsed.success) {
      issues.push(...parsed.error.issues.map(({ path, message }) => ({ path: [name, key, ...path], message })))
      continue
    }
    const moved = trueOf(rule, parsed.data)
    const other = FIELD_RULE_KEYS.find((one) => one in rules && one in moved && rules[one] !== moved[one])
    if (other) issues.push({ path: [name, key], message: `settings.${DOCUMENT}.${other} says something else` })
    Object.assign(rules, moved)
  }
  if (given !== undefined || Object.keys(rules).length > 0) documents[DOCUMENT] = rules
  return { documents, issues }
}
