import {
  administratorDetails,
  appointAdministrator,
  changeAdministrator,
  listAdministrators,
  myAdministration,
  renewAdministrators,
  withdrawAdministrators,
} from '#shared/contract/administrators.ts'
import type { Api } from '../../platform/http/mount.ts'
import {
  administratorsPage,
  changeAppointment,
  createAppointment,
  getAppointment,
  getMyAdministration,
  renewAppointments,
  withdrawAppointments,
} from './administrators.service.ts'

/** Who administers what: super users appoint, and everybody can see their own permissions. */
export function mountAdministrators(api: Api): void {
  api.mount(listAdministrators, (ctx, { query }) => administratorsPage(ctx, query))
  api.mount(administratorDetails, (ctx, { query }) => getAppointment(ctx, query.id))
  api.mount(appointAdministrator, (ctx, { body }) => createAppointment(ctx, body))
  api.mount(changeAdministrator, (ctx, { query, body }) => changeAppointment(ctx, query.id, body))
  api.mount(renewAdministrators, (ctx, { body }) => renewAppointments(ctx, body))
  api.mount(withdrawAdministrators, (ctx, { body }) => withdrawAppointments(ctx, body))
  api.mount(myAdministration, (ctx) => getMyAdministration(ctx))
}
