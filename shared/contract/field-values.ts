import { z } from 'zod'
import { AccountField } from './account-fields.ts'
import { Id, post } from './endpoint.ts'
import { CUSTOM_KEY, FieldFormat } from './field-rules.ts'

/** Represents any custom text field where built-in fields are named. */
export const CUSTOM_TEXT = 'custom'

export const testFieldFormat = post(
  '/account_field_rules/test_format/',
  'superUser',
  z.strictObject({
    field: z.union([AccountField, z.literal(CUSTOM_TEXT)]),
    /** The format to test, saved or not. */
    format: FieldFormat,
    value: z.string().min(1).max(2000),
  }),
  z.object({
    /** What is wrong with it, in words; null: it matches. */
    reason: z.string().nullable(),
    /** As it would be stored; null if it would not be. */
    kept: z.string().nullable(),
  }),
  {
    summary: 'Check a value against the format of a field; nothing is stored or logged',
  },
)

export const deleteFieldValues = post(
  '/account_field_rules/delete_values/',
  'superUser',
  z.strictObject({
    /** A removed field. */
    key: z.string().regex(CUSTOM_KEY),
  }),
  z.object({ taskId: Id }),
  {
    summary: "Permanently delete a removed field and everybody's values; runs in the background and can be stopped",
    errors: ['account-fields.custom-not-removed'],
  },
)
