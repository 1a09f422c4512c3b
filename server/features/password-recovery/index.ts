export { mountPasswordRecovery } from './password-recovery.routes.ts'
export { recoveryLink } from './password-recovery.rules.ts'
export { recoveryAddressee } from './password-recovery.service.ts'
