import { z } from 'zod'
import { AccountField } from './account-fields.ts'
import { Id, post } from './endpoint.ts'
import { CUSTOM_KEY, FieldFormat } from './field-rules.ts'

/** Stands for a text that the institution defines, where the fields of the product are named. */
export const CUSTOM_TEXT = 'custom'

export const testFieldFormat = post(
  '/account_field_rules/test_format/',
  'superUser',
  z.strictObject({
    field: z.union([AccountField, z.literal(CUSTOM_TEXT)]),
    /** To judge by, saved or not. */
    format: FieldFormat,
    value: z.string().min(1).max(2000),
  }),
  z.object({
    /** What is wrong with it, in words; null: it fits. */
    reason: z.string().nullable(),
    /** As it would be kept; null where it would not. */
    kept: z.string().nullable(),
  }),
  {
    summary: 'Judge a value by the format of a field, as one that somebody is given; nothing of it is stored or logged',
  },
)

export const deleteFieldValues = post(
  '/account_field_rules/delete_values/',
  'superUser',
  z.strictObject({
    /** Of a field that was removed. */
    key: z.string().regex(CUSTOM_KEY),
  }),
  z.object({ taskId: Id }),
  {
    summary:
      'Delete what people have of a removed field for good, and the field with it; goes on in the background and can be stopped',
    errors: ['account-fields.custom-not-removed'],
  },
)
