import {
  changeAvatar,
  changeBirthday,
  changeCustomField,
  changeGender,
  changeNickname,
  completeProfile,
  personalData,
  queryProfileCompletion,
} from '#shared/contract/profile.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeCompletion, saveCompletion } from './completion.service.ts'
import { getPersonalData, setAvatar, setBirthday, setCustomField, setGender, setNickname } from './profile.service.ts'

export function mountProfile(api: Api): void {
  api.mount(personalData, (ctx, { query }) => getPersonalData(ctx, query.id))
  api.mount(queryProfileCompletion, (ctx) => describeCompletion(ctx))
  api.mount(completeProfile, (ctx, { body }) => saveCompletion(ctx, body))
  api.mount(changeNickname, (ctx, { query, body }) => setNickname(ctx, { ...query, ...body }))
  api.mount(changeBirthday, (ctx, { query, body }) => setBirthday(ctx, { ...query, ...body }))
  api.mount(changeGender, (ctx, { query, body }) => setGender(ctx, { ...query, ...body }))
  api.mount(changeCustomField, (ctx, { query, body }) => setCustomField(ctx, { ...query, ...body }))
  api.mount(changeAvatar, (ctx, { query, body }) => setAvatar(ctx, { ...query, ...body }))
}
