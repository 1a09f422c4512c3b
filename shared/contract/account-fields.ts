import { z } from 'zod'
import { type CustomField, CustomFields } from './custom-fields.ts'
import { Empty, get, post } from './endpoint.ts'
import {
  EDITORS,
  type FieldEditor,
  type FieldFormat,
  FieldPattern,
  type FieldPreset,
  type FieldViewer,
  REQUIREMENTS,
  type Requirement,
} from './field-rules.ts'

/** The built-in fields with rules; each has the message `person-field.<name>`. */
export const ACCOUNT_FIELDS = [
  'account',
  'name',
  'nickname',
  'alias',
  'phone',
  'mailbox',
  'gender',
  'birthday',
  'idNumber',
  'avatar',
] as const
export type AccountField = (typeof ACCOUNT_FIELDS)[number]
export const AccountField = z.enum(ACCOUNT_FIELDS)

export const LOGIN_NAME_FIELDS = ['account', 'alias', 'phone', 'mailbox'] as const
export type LoginNameField = (typeof LOGIN_NAME_FIELDS)[number]

/** The fields that the information check of an activation may ask for, in form order. */
export const ActivationField = z.enum(['account', 'name', 'idNumber', 'birthday', 'phone', 'mailbox'])
export type ActivationField = z.infer<typeof ActivationField>

/** The rules of one field. */
export type FieldRules = {
  required: Requirement
  editableBy: FieldEditor
  visibleTo: FieldViewer
  format: FieldFormat
  /** Nobody is given a value that somebody else has; who shared one before keeps it. */
  isUnique: boolean
  isLoginName: boolean
  askAtActivation: boolean
}
export const FIELD_RULE_NAMES = [
  'required',
  'editableBy',
  'visibleTo',
  'format',
  'isUnique',
  'isLoginName',
  'askAtActivation',
] as const satisfies readonly (keyof FieldRules)[]
export type FieldRuleName = (typeof FIELD_RULE_NAMES)[number]

/** The choices for a field; the first is the default, and a single one is fixed. */
type FieldChoices = {
  required: readonly Requirement[]
  editableBy: readonly FieldEditor[]
  visibleTo: readonly FieldViewer[]
  format: readonly FieldPreset[]
  isUnique: readonly boolean[]
  isLoginName: readonly boolean[]
  askAtActivation: readonly boolean[]
  /** A text field that can have a custom format. */
  hasPattern: boolean
}

const OWN: FieldChoices = {
  required: REQUIREMENTS,
  editableBy: ['self', 'administrators', 'source', 'nobody'],
  visibleTo: ['self'],
  format: ['any'],
  isUnique: [false],
  isLoginName: [false],
  askAtActivation: [false],
  hasPattern: false,
}
const CONTACT: FieldChoices = {
  ...OWN,
  visibleTo: ['self', 'administrators'],
  isUnique: [true],
  isLoginName: [true, false],
  askAtActivation: [false, true],
  hasPattern: true,
}

export const FIELD_CHOICES: Readonly<Record<AccountField, FieldChoices>> = {
  account: {
    required: ['always'],
    editableBy: ['nobody'],
    visibleTo: ['self'],
    format: ['any', 'digits', 'letters-digits'],
    isUnique: [true],
    isLoginName: [true, false],
    // Used to find the person.
    askAtActivation: [true],
    hasPattern: true,
  },
  name: {
    required: ['always'],
    editableBy: ['administrators', 'source', 'nobody'],
    visibleTo: ['self'],
    format: ['any', 'chinese'],
    isUnique: [false, true],
    isLoginName: [false],
    askAtActivation: [true, false],
    hasPattern: true,
  },
  nickname: { ...OWN, isUnique: [false, true], hasPattern: true },
  alias: { ...OWN, isUnique: [true], isLoginName: [true, false], hasPattern: true },
  phone: { ...CONTACT, format: ['any', 'china-mobile'] },
  mailbox: CONTACT,
  gender: { ...OWN, visibleTo: ['self', 'administrators'] },
  birthday: { ...OWN, visibleTo: ['self', 'administrators'], askAtActivation: [false, true] },
  idNumber: {
    ...OWN,
    editableBy: ['administrators', 'self', 'source', 'nobody'],
    format: ['any', 'resident-id'],
    isUnique: [false, true],
    askAtActivation: [true, false],
    hasPattern: true,
  },
  // A picture is uploaded by who is logged in: an activation can't ask for it.
  avatar: { ...OWN, required: ['never', 'next-login', 'always'] },
}

/** What nobody shares by the rules; alias, phone and mailbox nobody shares in any case, as login names. */
export const UNIQUE_BY_RULE = ['name', 'nickname', 'idNumber'] as const satisfies readonly AccountField[]

/** A rule of a field as it is stored: settings document `accountFields`. */
export type FieldRuleKey = `${AccountField}.${FieldRuleName}`

/** Every rule with a choice. */
export const FIELD_RULE_KEYS: readonly FieldRuleKey[] = ACCOUNT_FIELDS.flatMap((field) =>
  FIELD_RULE_NAMES.filter((name) => isOpen(field, name)).map((name): FieldRuleKey => `${field}.${name}`),
)

function isOpen(field: AccountField, name: FieldRuleName): boolean {
  const choices = FIELD_CHOICES[field]
  return choices[name].length > 1 || (name === 'format' && choices.hasPattern)
}

/** The field and the rule of a key. */
export const partsOf = (key: FieldRuleKey) => key.split('.') as [AccountField, FieldRuleName]

function choiceOf(field: AccountField, name: FieldRuleName): z.ZodType {
  const choices = FIELD_CHOICES[field]
  if (typeof choices[name][0] === 'boolean') return z.boolean()
  const named = z.enum(choices[name] as readonly [string, ...string[]])
  return name === 'format' && choices.hasPattern ? z.union([named, FieldPattern]) : named
}

/** Stored rules by key, missing ones have their default; custom fields under `custom`. */
export type FieldRuleValues = Partial<Record<FieldRuleKey, unknown>> & { custom?: CustomField[] }

const shape = Object.fromEntries(FIELD_RULE_KEYS.map((key) => [key, choiceOf(...partsOf(key)).optional()]))
/** Settings document `accountFields` as stored. */
export const AccountFields = z.strictObject({
  ...shape,
  custom: CustomFields.optional(),
}) as unknown as z.ZodType<FieldRuleValues>

/** The bootstrap file's form: `settings.accountFields`, nested by field. */
export const AccountFieldsInFile = z.strictObject({
  ...Object.fromEntries(
    ACCOUNT_FIELDS.map((field) => {
      const open = FIELD_RULE_NAMES.filter((name) => isOpen(field, name))
      const rules = Object.fromEntries(open.map((name) => [name, choiceOf(field, name).optional()]))
      return [field, z.strictObject(rules).optional()]
    }),
  ),
  custom: CustomFields.optional(),
}) as unknown as z.ZodType<Partial<Record<AccountField, Partial<FieldRules>>> & { custom?: CustomField[] }>

/** The rules of every field, including defaults. */
export type AccountFieldRules = Readonly<Record<AccountField, FieldRules>>

export const rulesOf = (values: FieldRuleValues): AccountFieldRules =>
  Object.fromEntries(
    ACCOUNT_FIELDS.map((field) => {
      const rule = (name: FieldRuleName) => [name, values[`${field}.${name}`] ?? FIELD_CHOICES[field][name][0]]
      return [field, Object.fromEntries(FIELD_RULE_NAMES.map(rule))]
    }),
  ) as AccountFieldRules

/** The fields that count as login names. */
export const loginNamesOf = (rules: AccountFieldRules): LoginNameField[] =>
  LOGIN_NAME_FIELDS.filter((field) => rules[field].isLoginName)

/** The fields that an activation compares with the data on file. */
export const activationFieldsOf = (rules: AccountFieldRules): ActivationField[] =>
  ActivationField.options.filter((field) => rules[field].askAtActivation)

/** What people may do with their own data. */
export const OwnFields = z.object({
  /** Fields that they edit themselves; the others are maintained elsewhere. */
  editable: z.array(AccountField),
  /** Hidden from them, and returned as if empty. */
  hidden: z.array(AccountField),
  /** Who maintains the fields that they can't edit. */
  owners: z.partialRecord(AccountField, z.enum(EDITORS)),
})
export type OwnFields = z.infer<typeof OwnFields>

/** Refusals of a change of one's own data by a field rule; `data.fields` names the field. */
export const OWN_FIELD_ERRORS = [
  'account-field.not-editable',
  'account-field.missing',
  'account-field.too-short',
  'account-field.too-long',
  'account-field.format',
  'account-field.taken',
  'account-field.too-many-tries',
] as const

const RuleKey = z.enum(FIELD_RULE_KEYS as readonly [FieldRuleKey, ...FieldRuleKey[]])
/** The keys of the document. */
export const FIELD_KEYS = [...FIELD_RULE_KEYS, 'custom'] as const

export const StoredFieldRules = z.object({
  version: z.number().int(),
  values: AccountFields,
  /** Keys that the bootstrap file sets: they can only be changed there. */
  setByFile: z.array(z.union([RuleKey, z.literal('custom')])),
})
export type StoredFieldRules = z.infer<typeof StoredFieldRules>

/** Refusals of field rules that contradict each other or lock people out; `data.fields` has the keys. */
export const FIELD_RULE_ERRORS = [
  'account-fields.bad-pattern',
  'account-fields.no-login-name',
  'account-fields.nothing-asked',
  'account-fields.not-comparable',
  'account-fields.custom-holds-values',
  'account-fields.custom-kind-fixed',
  'account-fields.custom-choice-in-use',
  'account-fields.custom-not-unique',
  'account-fields.custom-released',
  'policy.locks-out',
] as const

const Edit = {
  changes: AccountFields,
  /** Keys to reset to their default. */
  reset: z.array(RuleKey).max(FIELD_RULE_KEYS.length).default([]),
}

/** An unsaved change of the page. */
export const FieldRulesDraft = z.strictObject(Edit)
export type FieldRulesDraft = z.infer<typeof FieldRulesDraft>

export const fieldRulesDetails = get('/account_field_rules/details/', 'superUser', Empty, StoredFieldRules, {
  summary: 'The rules of account fields: stored values, and those set by the bootstrap file',
})

export const updateFieldRules = post(
  '/account_field_rules/update/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    ...Edit,
    /** Save although it locks somebody out: reverts unless confirmed from a new login. */
    force: z.boolean().default(false),
  }),
  StoredFieldRules,
  {
    summary: 'Change the rules of account fields; a conflict returns the stored document as `current`',
    errors: ['version.conflict', 'settings.set-by-file', 'unconfirmed-change.pending', ...FIELD_RULE_ERRORS],
  },
)
