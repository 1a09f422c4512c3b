import { Refusal } from '../../platform/refusal.ts'

/** Refuses a form on the client, at the required fields, as the server would. */
export const requiredChoiceError = (fields: readonly string[], reason: string): Refusal =>
  new Refusal(400, 'request.invalid', reason, { data: { fields: fields.map((field) => ({ field, reason })) } })
