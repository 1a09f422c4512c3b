import {
  accessOfPerson,
  accessToApplication,
  bindApplications,
  effectiveAccess,
  grantImpact,
  listGrants,
  removeApplications,
  selectableApplications,
  updateGrant,
} from '#shared/contract/application-grants.ts'
import type { Api } from '../../platform/http/mount.ts'
import { personAccessPage, getEffectiveAccess as whyOf } from './effective-access.service.ts'
import { getGrantImpact } from './grant-impact.service.ts'
import { getGrantReach, grantsPage } from './grants.service.ts'
import { grantApplications, selectablePage, updateGrantDates, withdrawApplications } from './grants-update.service.ts'

export function mountApplicationGrants(api: Api): void {
  api.mount(selectableApplications, (ctx, { query }) => selectablePage(ctx, query))
  api.mount(bindApplications, (ctx, { body }) => grantApplications(ctx, body))
  api.mount(removeApplications, (ctx, { body }) => withdrawApplications(ctx, body))
  api.mount(grantImpact, (ctx, { query }) => getGrantImpact(ctx, query))
  api.mount(updateGrant, (ctx, { body }) => updateGrantDates(ctx, body))
  api.mount(listGrants, (ctx, { query }) => grantsPage(ctx, query))
  api.mount(effectiveAccess, (ctx, { query }) => whyOf(ctx, query.userId, query.applicationId))
  api.mount(accessOfPerson, (ctx, { query }) => personAccessPage(ctx, query))
  api.mount(accessToApplication, (ctx, { query }) => getGrantReach(ctx, query.applicationId))
}
