import type { AccountFieldRules } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName, isAskedAtActivation } from '#shared/contract/field-rules.ts'
import { TYPED_FIELDS } from '#shared/contract/profile.ts'
import { isEditableByOwner, mayOwnerEdit } from '../account-fields/index.ts'
import type { ActivationUser } from './activation-users.store.ts'
import type { Flow } from './flows.store.ts'

/** In form order; phone and mailbox are steps of their own, and a picture requires a login. */
export const PROFILE_FIELDS = ['alias', ...TYPED_FIELDS] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]
export type RequiredFields = { fields: ProfileField[]; custom: CustomField[] }

/** Fields that must be filled in before an account is activated and that people may fill in themselves. */
export const requiredAtActivation = (rules: AccountFieldRules, custom: readonly CustomField[]): RequiredFields => ({
  fields: PROFILE_FIELDS.filter((field) => isAskedAtActivation(rules[field].required) && mayOwnerEdit(rules, field)),
  custom: custom.filter((field) => isAskedAtActivation(field.required) && isEditableByOwner(field)),
})

/** Those without a value. @param owned fields of this person that are owned by a source: they are not asked for */
export const missingOf = (
  { fields, custom }: RequiredFields,
  person: ActivationUser,
  owned: ReadonlySet<string> = new Set(),
): RequiredFields => ({
  fields: fields.filter((field) => person.lacked.includes(field) && !owned.has(field)),
  custom: custom.filter(({ key }) => person.customValues?.[key] === undefined && !owned.has(customName(key))),
})

export const hasAny = ({ fields, custom }: RequiredFields): boolean => fields.length + custom.length > 0

/** Are all of them filled in? Rules may have changed since. */
export const isFilledIn = ({ fields, custom }: RequiredFields, { profile }: Flow): boolean =>
  profile !== null &&
  fields.every((field) => profile[field] !== undefined) &&
  custom.every(({ key }) => profile.custom?.[key] !== undefined)
