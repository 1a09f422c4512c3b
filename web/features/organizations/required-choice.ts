import { Refusal } from '../../platform/refusal.ts'

/** Refuses a form by itself, at the fields in which something must be chosen, as the server would. */
export const requiredChoiceError = (fields: readonly string[], reason: string): Refusal =>
  new Refusal(400, 'request.invalid', reason, { data: { fields: fields.map((field) => ({ field, reason })) } })
