import {
  accessOfPerson,
  accessToApplication,
  bindApplications,
  effectiveAccess,
  listGrants,
  removeApplications,
  selectableApplications,
  updateGrant,
} from '#shared/contract/application-grants.ts'
import type { Api } from '../../platform/http/mount.ts'
import { accessPage, effectiveAccess as whyOf } from './access.service.ts'
import { bind, changeDates, selectablePage, unbind } from './binding.service.ts'
import { grantsPage, reachPage } from './grants.service.ts'

export function mountApplicationGrants(api: Api): void {
  api.mount(selectableApplications, (ctx, { query }) => selectablePage(ctx, query))
  api.mount(bindApplications, (ctx, { body }) => bind(ctx, body))
  api.mount(removeApplications, (ctx, { body }) => unbind(ctx, body))
  api.mount(updateGrant, (ctx, { body }) => changeDates(ctx, body))
  api.mount(listGrants, (ctx, { query }) => grantsPage(ctx, query))
  api.mount(effectiveAccess, (ctx, { query }) => whyOf(ctx, query.userId, query.applicationId))
  api.mount(accessOfPerson, (ctx, { query }) => accessPage(ctx, query))
  api.mount(accessToApplication, (ctx, { query }) => reachPage(ctx, query.applicationId))
}
