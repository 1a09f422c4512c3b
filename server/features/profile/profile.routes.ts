import { changeAvatar, changeBirthday, changeGender, changeNickname, personalData } from '#shared/contract/profile.ts'
import type { Api } from '../../platform/http/mount.ts'
import { getPersonalData, setAvatar, setBirthday, setGender, setNickname } from './profile.service.ts'

export function mountProfile(api: Api): void {
  api.mount(personalData, (ctx, { query }) => getPersonalData(ctx, query.id))
  api.mount(changeNickname, (ctx, { query, body }) => setNickname(ctx, { ...query, ...body }))
  api.mount(changeBirthday, (ctx, { query, body }) => setBirthday(ctx, { ...query, ...body }))
  api.mount(changeGender, (ctx, { query, body }) => setGender(ctx, { ...query, ...body }))
  api.mount(changeAvatar, (ctx, { query, body }) => setAvatar(ctx, { ...query, ...body }))
}
