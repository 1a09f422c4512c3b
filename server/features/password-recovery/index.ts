export { mountPasswordRecovery } from './password-recovery.routes.ts'
export { findRecoveryRecipient, findRecoverySubject } from './password-recovery.service.ts'
export { recoveryLoginOption } from './recovery-settings.service.ts'
