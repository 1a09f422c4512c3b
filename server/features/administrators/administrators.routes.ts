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
  administrators,
  appoint,
  appointmentDetails,
  changeAppointment,
  mine,
  renew,
  withdraw,
} from './administrators.service.ts'

/** Who administers what: super users appoint, everybody learns what they may do themselves. */
export function mountAdministrators(api: Api): void {
  api.mount(listAdministrators, (ctx, { query }) => administrators(ctx, query))
  api.mount(administratorDetails, (ctx, { query }) => appointmentDetails(ctx, query.id))
  api.mount(appointAdministrator, (ctx, { body }) => appoint(ctx, body))
  api.mount(changeAdministrator, (ctx, { query, body }) => changeAppointment(ctx, query.id, body))
  api.mount(renewAdministrators, (ctx, { body }) => renew(ctx, body))
  api.mount(withdrawAdministrators, (ctx, { body }) => withdraw(ctx, body))
  api.mount(myAdministration, (ctx) => mine(ctx))
}
