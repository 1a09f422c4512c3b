import { z } from 'zod'
import { Language } from './endpoint.ts'

/**
 * When a value has to be there. `activation`: the account is not activated without it. `next-login`: whoever lacks it is asked after the
 * next login. `always`: that too, and from now on nobody is created without it and nobody takes it away.
 */
export const REQUIREMENTS = ['never', 'activation', 'next-login', 'always'] as const
export type Requirement = (typeof REQUIREMENTS)[number]
/** Of everybody who logs in. */
export const isAskedAfterLogin = (required: Requirement): boolean => required === 'next-login' || required === 'always'
/** Of everybody who activates the account. */
export const isAskedAtActivation = (required: Requirement): boolean =>
  required === 'activation' || required === 'always'

/**
 * Who changes what is on file; whoever creates a person gives it in any case. `self`: the person and administrators. `source`: the system
 * that people are synchronised from, and nobody here. `nobody`: it stays as it is.
 */
export const EDITORS = ['self', 'administrators', 'source', 'nobody'] as const
export type FieldEditor = (typeof EDITORS)[number]

/** Administrators see what they are appointed for; `administrators`: nobody else does, the person included, who can't change it either. */
export const VIEWERS = ['self', 'administrators'] as const
export type FieldViewer = (typeof VIEWERS)[number]

/** Formats with a name; `any`: what the product accepts by itself, which holds beside each of the others too. */
export const FIELD_PRESETS = ['any', 'digits', 'letters-digits', 'chinese', 'china-mobile', 'resident-id'] as const
export type FieldPreset = (typeof FIELD_PRESETS)[number]

export const MAX_PATTERN_LENGTH = 500
/** Of what is compared with a pattern. */
export const MAX_JUDGED_LENGTH = 1000
/** Of what tells people which format is expected. */
export const MAX_EXPECTED_LENGTH = 200

const length = z.number().int().min(0).max(MAX_JUDGED_LENGTH)

/** Own format: the whole value fits `pattern` (RE2 syntax; empty: anything) and has so many characters. */
export const FieldPattern = z
  .strictObject({
    pattern: z.string().max(MAX_PATTERN_LENGTH),
    minLength: length.default(0),
    maxLength: length.default(MAX_JUDGED_LENGTH),
    /** What people are told to type: the pattern itself says nothing to them. */
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

/** The key of a field that an institution defined. */
export const CUSTOM_KEY = /^[a-z][A-Za-z0-9_]{0,39}$/
/** Such a field among those of the product: in problems, columns, released attributes. */
export type CustomFieldName = `custom.${string}`
export const CustomFieldName = z
  .string()
  .regex(/^custom\.[a-z][A-Za-z0-9_]{0,39}$/) as unknown as z.ZodType<CustomFieldName>
export const customName = (key: string): CustomFieldName => `custom.${key}`
export const isCustomName = (name: string): name is CustomFieldName => name.startsWith('custom.')
export const keyOfCustom = (name: CustomFieldName): string => name.slice('custom.'.length)
