import { z } from 'zod'
import { ATTRIBUTE_SOURCES } from './attributes.ts'
import { Empty, get } from './endpoint.ts'
import { CUSTOM_KEY, CustomFieldName, EDITORS, FieldPattern, REQUIREMENTS, VIEWERS } from './field-rules.ts'
import { EntryName, EntryNames } from './organizations.ts'

export const MAX_CUSTOM_FIELDS = 20
export const MAX_CUSTOM_CHOICES = 100
/** Of a text, in characters as people count them. */
export const MAX_CUSTOM_TEXT = 500

/** Each has the message `custom-field.kind.<name>`. */
export const CUSTOM_KINDS = ['text', 'date', 'choice'] as const
export type CustomKind = (typeof CUSTOM_KINDS)[number]

/** Keys that tickets, tokens and the product use. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(
  [
    ...ATTRIBUTE_SOURCES,
    ...'id mailbox phone avatar picture idNumber password enabled activated validFrom validUntil custom'.split(' '),
    ...'organizationId categoryId personnelTypeId secondaryOrganizationIds secondaryOrganizations'.split(' '),
    ...'iss sub aud exp iat nbf jti sid nonce acr amr auth_time azp at_hash c_hash s_hash cnf act events scope'.split(
      ' ',
    ),
    ...'client_id given_name family_name middle_name preferred_username profile website email email_verified'.split(
      ' ',
    ),
    ...'birthdate zoneinfo locale phone_number phone_number_verified address updated_at'.split(' '),
    ...'organization_code category_code personnel_type personnel_type_code'.split(' '),
    ...'user username uid attributes attribute proxies proxy proxyGrantingTicket authenticationDate'.split(' '),
    ...'authenticationSuccess authenticationFailure isFromNewLogin longTermAuthenticationRequestTokenUsed'.split(' '),
    'prototype',
    // Property names of every object.
    ...Object.getOwnPropertyNames(Object.prototype),
  ].map((name) => name.toLowerCase()),
)

/** Never changes: values, filters and released attributes refer to it. */
export const CustomFieldKey = z
  .string()
  .regex(CUSTOM_KEY)
  .refine((key) => !RESERVED_KEYS.has(key.toLowerCase()), 'a name that the product or a protocol uses itself')

const CustomChoice = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/),
  name: EntryName,
  names: EntryNames.default({}),
  /** People keep choices that are no longer offered, but nobody gets them any more. */
  isOffered: z.boolean().default(true),
})
export type CustomChoice = z.infer<typeof CustomChoice>

/** In every language, because identical labels can't be told apart. */
const isDistinct = (words: readonly string[]): boolean =>
  new Set(words.map((word) => word.normalize('NFKC').toLowerCase())).size === words.length

/** A custom field of people, with its rules. */
export const CustomField = z
  .strictObject({
    key: CustomFieldKey,
    kind: z.enum(CUSTOM_KINDS),
    name: EntryName,
    names: EntryNames.default({}),
    choices: z.array(CustomChoice).max(MAX_CUSTOM_CHOICES).default([]),
    required: z.enum(REQUIREMENTS).default('never'),
    editableBy: z.enum(EDITORS).default('administrators'),
    visibleTo: z.enum(VIEWERS).default('self'),
    /** For a text. */
    format: z.union([z.enum(['any', 'digits', 'letters-digits', 'chinese']), FieldPattern]).default('any'),
    /** Values must be unique. */
    isUnique: z.boolean().default(false),
    /** Change records omit its values, and only people who may edit a person can search, list and export it. */
    isSensitive: z.boolean().default(false),
    askAtActivation: z.boolean().default(false),
    /** Hidden and not asked for; values are kept until it is deleted permanently. */
    isRemoved: z.boolean().default(false),
  })
  .refine(({ kind, choices }) => (kind === 'choice') === choices.length > 0, { path: ['choices'] })
  .refine(({ choices }) => isDistinct(choices.map(({ code }) => code)), { path: ['choices'] })
  .refine(({ kind, format }) => kind === 'text' || format === 'any', { path: ['format'] })
  .refine(({ kind, isUnique }) => kind === 'text' || !isUnique, { path: ['isUnique'] })
export type CustomField = z.infer<typeof CustomField>

/** In display order. */
export const CustomFields = z
  .array(CustomField)
  .max(MAX_CUSTOM_FIELDS)
  .refine((fields) => isDistinct(fields.map(({ key }) => key)))

/**
 * Values as typed, by key: a date as YYYY-MM-DD, the code of a choice; null or empty: none. Absent keys are unchanged.
 */
export const CustomValues = z.record(z.string().regex(CUSTOM_KEY), z.string().max(2000).nullable())
export type CustomValues = z.infer<typeof CustomValues>

/** A custom field as forms and lists show it, in the caller's language. */
export const ShownCustomField = z.object({
  name: CustomFieldName,
  key: z.string(),
  label: z.string(),
  kind: z.enum(CUSTOM_KINDS),
  choices: z.array(z.object({ code: z.string(), label: z.string(), isOffered: z.boolean() })),
  editableBy: z.enum(EDITORS),
  isRequired: z.boolean(),
  isSensitive: z.boolean(),
  /** The description of the expected value, if any. */
  expected: z.string().nullable(),
})
export type ShownCustomField = z.infer<typeof ShownCustomField>

/** The public part of a field that an activation asks for: what is needed to fill it in. */
export const AskedCustomField = ShownCustomField.pick({
  name: true,
  key: true,
  label: true,
  kind: true,
  choices: true,
  expected: true,
})
export type AskedCustomField = z.infer<typeof AskedCustomField>

export const listPersonFields = get(
  '/person_field/query/',
  'administrator',
  Empty,
  z.object({
    custom: z.array(ShownCustomField),
    /** Built-in fields that administrators can't change, and who can. */
    closed: z.array(z.object({ field: z.string(), editableBy: z.enum(EDITORS) })),
  }),
  { summary: "The custom fields, and the built-in ones that administrators can't change" },
)

export const customFieldUse = get(
  '/account_field_rules/custom_use/',
  'superUser',
  z.strictObject({ key: z.string().regex(CUSTOM_KEY) }),
  z.object({ people: z.number().int(), isLowerBound: z.boolean() }),
  { summary: 'The number of people with a value of a custom field' },
)
