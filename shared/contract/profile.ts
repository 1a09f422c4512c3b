import { z } from 'zod'
import { canonicalNickname } from '../rules/nickname.ts'
import { OWN_FIELD_ERRORS, OwnFields } from './account-fields.ts'
import { get, Id, post } from './endpoint.ts'

export const GENDERS = ['male', 'female', 'unknown'] as const

export const PersonalData = z.object({
  userId: Id,
  account: z.string(),
  name: z.string(),
  /** From the institution down to the department; of somebody else those that the caller administers. */
  organizations: z.array(z.string()),
  category: z.string().nullable(),
  nick: z.string().nullable(),
  gender: z.enum(GENDERS),
  /** YYYY-MM-DD. */
  birthday: z.string().nullable(),
  /** The address of the avatar. */
  picture: z.string().nullable(),
  fields: OwnFields,
  /** Goes with every change; one made in between is told, not overwritten. */
  version: z.number().int(),
})
export type PersonalData = z.infer<typeof PersonalData>

const OwnPath = z.strictObject({ id: Id })
const version = z.number().int().min(1)
const Changed = z.object({ version: z.number().int() })
const refusals = ['profile.not-yours', 'version.conflict', ...OWN_FIELD_ERRORS] as const

export const personalData = get('/user_information/{id}/details/', 'user', OwnPath, PersonalData, {
  summary: 'My personal data, or that of somebody whom I administer',
  errors: ['profile.not-yours'],
})

export const changeNickname = post(
  '/user_information/{id}/user_nick/',
  'user',
  /** Empty: no nickname. */
  z.strictObject({ nick: z.string().max(1000).transform(canonicalNickname), version }),
  Changed,
  {
    query: OwnPath,
    summary: 'Change my nickname: 20 characters at most, as people count them',
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

export const changeAvatar = post(
  '/user_information/{id}/user_avatar/',
  'user',
  /** What an upload answered; null: no avatar. */
  z.strictObject({ fileId: Id.nullable(), version }),
  Changed.extend({ picture: z.string().nullable() }),
  {
    query: OwnPath,
    summary: 'Use an uploaded picture as my avatar, or remove it',
    errors: [...refusals, 'file.not-found'],
  },
)
