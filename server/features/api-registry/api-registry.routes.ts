import {
  createAppKey,
  grantInterfaces,
  limitInterface,
  listApiCalls,
  listAppKeys,
  listGrantedInterfaces,
  listInterfaces,
  revokeAppKey,
  updateInterface,
  withdrawInterfaces,
} from '#shared/contract/api-manage.ts'
import {
  listChangedPeople,
  listOpenOrganizations,
  listPeopleOfOrganization,
  readOwnApplication,
  readPerson,
  recordVisitOfPerson,
} from '#shared/contract/open-api.ts'
import type { Api } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { createKey, listValidAppKeys, revokeKey } from './app-keys.service.ts'
import { apiCallsPage } from './calls.service.ts'
import { catalogueOf } from './catalogue.rules.ts'
import {
  grant,
  grantedInterfacesPage,
  interfacesPage,
  limit,
  setInterfaceEnabled,
  withdraw,
} from './interfaces.service.ts'
import {
  changedPeoplePage,
  getOpenPerson,
  getOwnApplication,
  organizationChildrenPage,
  organizationPeoplePage,
  recordVisitFor,
} from './open-api.service.ts'

/** The back office for the interfaces. The catalogue is whatever is mounted on `api`, before or after this. */
export function mountApiRegistry(api: Api): void {
  const catalogue = (ctx: Context) => catalogueOf(ctx, api.endpoints, ctx.client.language)
  api.mount(listInterfaces, (ctx, { query }) => interfacesPage(ctx, catalogue(ctx), query))
  api.mount(updateInterface, (ctx, input) => setInterfaceEnabled(ctx, catalogue(ctx), input))
  api.mount(listGrantedInterfaces, (ctx, { query }) => grantedInterfacesPage(ctx, catalogue(ctx), query))
  api.mount(grantInterfaces, (ctx, input) => grant(ctx, catalogue(ctx), input))
  api.mount(withdrawInterfaces, (ctx, input) => withdraw(ctx, input))
  api.mount(limitInterface, (ctx, input) => limit(ctx, catalogue(ctx), input))
  api.mount(listApiCalls, (ctx, { query }) => apiCallsPage(ctx, catalogue(ctx), query))
  api.mount(listAppKeys, (ctx, { query }) => listValidAppKeys(ctx, query))
  api.mount(createAppKey, (ctx, input) => createKey(ctx, input))
  api.mount(revokeAppKey, (ctx, input) => revokeKey(ctx, input))
  mountOpenApi(api, catalogue)
}

/** The calls for applications. */
function mountOpenApi(api: Api, catalogue: (ctx: Context) => ReturnType<typeof catalogueOf>): void {
  api.mount(readOwnApplication, (ctx) => getOwnApplication(ctx, catalogue(ctx)))
  api.mount(readPerson, (ctx, { query }) => getOpenPerson(ctx, query))
  api.mount(listPeopleOfOrganization, (ctx, { query }) => organizationPeoplePage(ctx, query))
  api.mount(listChangedPeople, (ctx, { query }) => changedPeoplePage(ctx, query))
  api.mount(listOpenOrganizations, (ctx, { query }) => organizationChildrenPage(ctx, query))
  api.mount(recordVisitOfPerson, (ctx, { body }) => recordVisitFor(ctx, body))
}
