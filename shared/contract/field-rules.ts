import { z } from 'zod'
import { Language } from './endpoint.ts'

/**
 * When a value is required. `activation`: before the account is activated. `next-login`: people who lack it are asked
 * after the next login. `always`: also when creating people, and it can't be removed.
 */
export const REQUIREMENTS = ['never', 'activation', 'next-login', 'always'] as const
export type Requirement = (typeof REQUIREMENTS)[number]
/** Of everybody who logs in. */
export const isAskedAfterLogin = (required: Requirement): boolean => required === 'next-login' || required === 'always'
/** Of everybody who activates the account. */
export const isAskedAtActivation = (required: Requirement): boolean =>
  required === 'activation' || required === 'always'

/**
 * Who may change an existing value; a new person can be given any. `self`: the person and administrators. `source`: the
 * system that people are synchronised from, and nobody here. `nobody`: it is never changed.
 */
export const EDITORS = ['self', 'administrators', 'source', 'nobody'] as const
export type FieldEditor = (typeof EDITORS)[number]

/**
 * Administrators see the fields of people in their scope; `administrators`: only they do, and the person can't change
 * it either.
 */
export const VIEWERS = ['self', 'administrators'] as const
export type FieldViewer = (typeof VIEWERS)[number]

/** Named formats; `any`: the product's own check, which also applies with the others. */
export const FIELD_PRESETS = ['any', 'digits', 'letters-digits', 'chinese', 'china-mobile', 'resident-id'] as const
export type FieldPreset = (typeof FIELD_PRESETS)[number]

export const MAX_PATTERN_LENGTH = 500
/** Of a value that is compared with a pattern. */
export const MAX_JUDGED_LENGTH = 1000
/** Of the description of the expected format. */
export const MAX_EXPECTED_LENGTH = 200

const length = z.number().int().min(0).max(MAX_JUDGED_LENGTH)

/** Custom format: the whole value matches `pattern` (RE2 syntax; empty: anything) and has this length. */
export const FieldPattern = z
  .strictObject({
    pattern: z.string().max(MAX_PATTERN_LENGTH),
    minLength: length.default(0),
    maxLength: length.default(MAX_JUDGED_LENGTH),
    /** The description that people see instead of the pattern. */
    expected: z
      .record(
        Language,
        z
          .string()
          .trim()
          .min(1)
          .max(MAX_EXPECTED_LENGTH)
          .regex(/^\P{Cc}+$/u),
      )
      .optional(),
  })
  .refine(({ minLength, maxLength }) => minLength <= maxLength, {
    path: ['maxLength'],
    message: 'less than the shortest',
  })
export type FieldPattern = z.infer<typeof FieldPattern>
export const FieldFormat = z.union([z.enum(FIELD_PRESETS), FieldPattern])
export type FieldFormat = z.infer<typeof FieldFormat>

/** The key of a custom field. */
export const CUSTOM_KEY = /^[a-z][A-Za-z0-9_]{0,39}$/
/** A custom field among the built-in ones: in problems, columns, released attributes. */
export type CustomFieldName = `custom.${string}`
export const CustomFieldName = z
  .string()
  .regex(/^custom\.[a-z][A-Za-z0-9_]{0,39}$/) as unknown as z.ZodType<CustomFieldName>
export const customName = (key: string): CustomFieldName => `custom.${key}`
export const isCustomName = (name: string): name is CustomFieldName => name.startsWith('custom.')
export const keyOfCustom = (name: CustomFieldName): string => name.slice('custom.'.length)
