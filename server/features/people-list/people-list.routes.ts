import { checkAddress, checkLogin, releaseAddress } from '#shared/contract/login-check.ts'
import { listUserRecords, listUserSessions } from '#shared/contract/user-verbs.ts'
import { listUsers, userDetails, userTypeId } from '#shared/contract/users.ts'
import type { Api } from '../../platform/http/mount.ts'
import { personRecordsPage, personSessionsPage } from './activity.service.ts'
import { forgetAddress, getAddressCheck } from './address-check.service.ts'
import { getPersonDetails } from './details.service.ts'
import { getLoginCheck } from './login-check.service.ts'
import { listPeople } from './people-list.service.ts'

export function mountPeopleList(api: Api): void {
  api.mount(listUsers, (ctx, { query }) => listPeople(ctx, query))
  api.mount(checkLogin, (ctx, { query }) => getLoginCheck(ctx, query.id))
  api.mount(checkAddress, (ctx, { query }) => getAddressCheck(ctx, query.ip))
  api.mount(releaseAddress, async (ctx, { body }) => {
    await forgetAddress(ctx, body.ip)
    return null
  })
  api.mount(userDetails, (ctx, { query }) => getPersonDetails(ctx, query.id))
  api.mount(userTypeId, async (ctx, { query }) => {
    const { category } = await getPersonDetails(ctx, query.id)
    return { typeId: category?.id ?? null, typeCode: category?.code ?? null, typeName: category?.name ?? null }
  })
  api.mount(listUserSessions, (ctx, { query }) => personSessionsPage(ctx, query))
  api.mount(listUserRecords, (ctx, { query }) => personRecordsPage(ctx, query))
}
