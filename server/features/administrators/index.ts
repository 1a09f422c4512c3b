export { mountAdministrators } from './administrators.routes.ts'
export { insertAppointment } from './administrators.store.ts'
export { appointmentEndings } from './appointment-endings.service.ts'
export { revokeIssuedCredentials } from './credential-revocation.service.ts'
