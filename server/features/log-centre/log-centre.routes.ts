import {
  getLoginLine,
  getVisitLine,
  listLogApplications,
  listLogRanges,
  searchLogins,
  searchVisits,
} from '#shared/contract/log-centre.ts'
import type { Api } from '../../platform/http/mount.ts'
import { applicationChoices, rangeChoices } from './log-choices.service.ts'
import { findLogins, findVisits, getLogin, getVisit } from './log-lines.service.ts'

export function mountLogCentre(api: Api): void {
  api.mount(searchLogins, (ctx, { query }) => findLogins(ctx, query))
  api.mount(getLoginLine, (ctx, { query }) => getLogin(ctx, query.key))
  api.mount(searchVisits, (ctx, { query }) => findVisits(ctx, query))
  api.mount(getVisitLine, (ctx, { query }) => getVisit(ctx, query.key))
  api.mount(listLogApplications, (ctx, { query }) => applicationChoices(ctx, query))
  api.mount(listLogRanges, (ctx, { query }) => rangeChoices(ctx, query))
}
