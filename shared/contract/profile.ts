import { z } from 'zod'
import { canonicalIdNumber } from '../rules/id-number.ts'
import { canonicalNickname } from '../rules/nickname.ts'
import { AccountField, OWN_FIELD_ERRORS, OwnFields } from './account-fields.ts'
import { CustomValues, ShownCustomField } from './custom-fields.ts'
import { Empty, get, Id, post } from './endpoint.ts'
import { CUSTOM_KEY } from './field-rules.ts'

export const GENDERS = ['male', 'female', 'unknown'] as const

export const PersonalData = z.object({
  userId: Id,
  account: z.string(),
  name: z.string(),
  /** From the root to the department; for other people only those that the caller administers. */
  organizations: z.array(z.string()),
  category: z.string().nullable(),
  nick: z.string().nullable(),
  gender: z.enum(GENDERS),
  /** YYYY-MM-DD. */
  birthday: z.string().nullable(),
  /** The address of the avatar. */
  picture: z.string().nullable(),
  fields: OwnFields,
  /** The visible custom fields. */
  custom: z.array(z.object({ field: ShownCustomField, value: z.string().nullable(), isEditable: z.boolean() })),
  /** Sent with every change; a change made in between is reported, not overwritten. */
  version: z.number().int(),
})
export type PersonalData = z.infer<typeof PersonalData>

const OwnPath = z.strictObject({ id: Id })
const version = z.number().int().min(1)
const Changed = z.object({ version: z.number().int() })
const refusals = ['profile.not-yours', 'version.conflict', ...OWN_FIELD_ERRORS] as const

export const personalData = get('/user_information/{id}/details/', 'user', OwnPath, PersonalData, {
  summary: 'My personal data, or that of somebody in my scope',
  errors: ['profile.not-yours'],
})

/** The fields that the completion page can save itself; phone, email address and alias are bound as usual. */
export const TYPED_FIELDS = ['nickname', 'gender', 'birthday', 'idNumber'] as const

/** The same, as input. */
export const TypedFields = z.strictObject({
  nickname: z.string().max(1000).transform(canonicalNickname).optional(),
  gender: z.enum(['male', 'female']).optional(),
  birthday: z.string().max(10).optional(),
  idNumber: z.string().max(100).transform(canonicalIdNumber).optional(),
  custom: CustomValues.optional(),
})
export type TypedFields = z.infer<typeof TypedFields>

/** A built-in field to fill in, with its expected format if there is one to describe. */
export const MissingField = z.object({ field: AccountField, expected: z.string().nullable() })

export const TYPED_FIELD_ERRORS = [
  'profile.bad-nickname',
  'profile.bad-birthday',
  'profile.bad-id-number',
  ...OWN_FIELD_ERRORS,
] as const

export const ProfileCompletion = z.object({
  userId: Id,
  name: z.string(),
  nick: z.string().nullable(),
  picture: z.string().nullable(),
  version: z.number().int(),
  /** Required built-in fields that the caller lacks and can fill in. */
  missing: z.array(MissingField),
  /** The same of custom fields. */
  missingCustom: z.array(ShownCustomField),
  /** Required fields that the caller lacks and somebody else has to fill in. */
  leftToOthers: z.array(AccountField),
  /** Names of such custom fields. */
  customLeftToOthers: z.array(z.string()),
})
export type ProfileCompletion = z.infer<typeof ProfileCompletion>

export const queryProfileCompletion = get('/profile_completion/details/', 'completing', Empty, ProfileCompletion, {
  summary: 'The required fields that I lack',
})

export const completeProfile = post(
  '/profile_completion/save/',
  'completing',
  /** Fields that the caller no longer lacks stay unchanged. */
  TypedFields,
  ProfileCompletion,
  {
    summary: 'Fill in required fields that I lack',
    errors: TYPED_FIELD_ERRORS,
  },
)

export const changeNickname = post(
  '/user_information/{id}/user_nick/',
  'user',
  /** Empty: no nickname. */
  z.strictObject({ nick: z.string().max(1000).transform(canonicalNickname), version }),
  Changed,
  {
    query: OwnPath,
    summary: 'Change my nickname: at most 20 characters as people count them',
    errors: [...refusals, 'profile.bad-nickname'],
  },
)

export const changeBirthday = post(
  '/user_information/{id}/user_birthday/',
  'user',
  z.strictObject({ birthday: z.string().max(10).nullable(), version }),
  Changed,
  {
    query: OwnPath,
    summary: 'Change my birthday (YYYY-MM-DD), or remove it',
    errors: [...refusals, 'profile.bad-birthday'],
  },
)

export const changeGender = post(
  '/user_information/{id}/user_gender/',
  'user',
  z.strictObject({ gender: z.enum(GENDERS), version }),
  Changed,
  { query: OwnPath, summary: 'Change my gender', errors: refusals },
)

export const changeCustomField = post(
  '/user_information/{id}/custom_field/',
  'user',
  /** Null or empty: no value. */
  z.strictObject({ key: z.string().regex(CUSTOM_KEY), value: z.string().max(2000).nullable(), version }),
  Changed.extend({ value: z.string().nullable() }),
  { query: OwnPath, summary: 'Change my value of a custom field', errors: refusals },
)

export const changeAvatar = post(
  '/user_information/{id}/user_avatar/',
  'completing',
  /** The id from an upload; null: no avatar. */
  z.strictObject({ fileId: Id.nullable(), version }),
  Changed.extend({ picture: z.string().nullable() }),
  {
    query: OwnPath,
    summary: 'Use an uploaded picture as my avatar, or remove it',
    errors: [...refusals, 'file.not-found'],
  },
)
