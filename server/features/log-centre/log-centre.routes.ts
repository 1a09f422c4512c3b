import {
  getLoginLine,
  getVisitLine,
  listLogApplications,
  listLogRanges,
  loginFigures,
  searchLogins,
  searchVisits,
  visitFigures,
} from '#shared/contract/log-centre.ts'
import { getMessageLine, searchMessages } from '#shared/contract/message-log.ts'
import type { Api } from '../../platform/http/mount.ts'
import { applicationChoices, rangeChoices } from './log-choices.service.ts'
import { logFigures } from './log-figures.service.ts'
import { findLogins, findVisits, getLogin, getVisit } from './log-lines.service.ts'
import { findMessages, getMessage } from './message-lines.service.ts'

export function mountLogCentre(api: Api): void {
  api.mount(searchLogins, (ctx, { query }) => findLogins(ctx, query))
  api.mount(getLoginLine, (ctx, { query }) => getLogin(ctx, query.key))
  api.mount(searchVisits, (ctx, { query }) => findVisits(ctx, query))
  api.mount(getVisitLine, (ctx, { query }) => getVisit(ctx, query.key))
  api.mount(searchMessages, (ctx, { query }) => findMessages(ctx, query))
  api.mount(getMessageLine, (ctx, { query }) => getMessage(ctx, query.key))
  api.mount(loginFigures, (ctx, { query }) => logFigures(ctx, 'login', query))
  api.mount(visitFigures, (ctx, { query }) => logFigures(ctx, 'visit', query))
  api.mount(listLogApplications, (ctx, { query }) => applicationChoices(ctx, query))
  api.mount(listLogRanges, (ctx, { query }) => rangeChoices(ctx, query))
}
