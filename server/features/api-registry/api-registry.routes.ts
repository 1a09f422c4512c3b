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
import { appKeys, createKey, revokeKey } from './app-keys.service.ts'
import { apiCalls } from './calls.service.ts'
import { catalogueOf } from './catalogue.ts'
import { grant, grantedInterfaces, interfaces, limit, switchInterface, withdraw } from './interfaces.service.ts'
import {
  changedPeople,
  organizationChildren,
  ownApplication,
  peopleOfOrganization,
  readOne,
  recordVisitFor,
} from './open-api.service.ts'

/** The back office of the interfaces. Its catalogue is whatever is mounted on `api`, before or after this. */
export function mountApiRegistry(api: Api): void {
  const catalogue = (ctx: Context) => catalogueOf(ctx, api.endpoints, ctx.client.language)
  api.mount(listInterfaces, (ctx, { query }) => interfaces(ctx, catalogue(ctx), query))
  api.mount(updateInterface, (ctx, input) => switchInterface(ctx, catalogue(ctx), input))
  api.mount(listGrantedInterfaces, (ctx, { query }) => grantedInterfaces(ctx, catalogue(ctx), query))
  api.mount(grantInterfaces, (ctx, input) => grant(ctx, catalogue(ctx), input))
  api.mount(withdrawInterfaces, (ctx, input) => withdraw(ctx, input))
  api.mount(limitInterface, (ctx, input) => limit(ctx, catalogue(ctx), input))
  api.mount(listApiCalls, (ctx, { query }) => apiCalls(ctx, catalogue(ctx), query))
  api.mount(listAppKeys, (ctx, { query }) => appKeys(ctx, query))
  api.mount(createAppKey, (ctx, input) => createKey(ctx, input))
  api.mount(revokeAppKey, (ctx, input) => revokeKey(ctx, input))
  mountOpenApi(api, catalogue)
}

/** What applications call. */
function mountOpenApi(api: Api, catalogue: (ctx: Context) => ReturnType<typeof catalogueOf>): void {
  api.mount(readOwnApplication, (ctx) => ownApplication(ctx, catalogue(ctx)))
  api.mount(readPerson, (ctx, { query }) => readOne(ctx, query))
  api.mount(listPeopleOfOrganization, (ctx, { query }) => peopleOfOrganization(ctx, query))
  api.mount(listChangedPeople, (ctx, { query }) => changedPeople(ctx, query))
  api.mount(listOpenOrganizations, (ctx, { query }) => organizationChildren(ctx, query))
  api.mount(recordVisitOfPerson, (ctx, { body }) => recordVisitFor(ctx, body))
}
