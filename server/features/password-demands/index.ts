export { findLoginDemands } from './login-demands.service.ts'
export { passwordDueAt } from './password-age.rules.ts'
export {
  findPasswordOwner,
  type HolderRow,
  holderColumns,
  isPasswordTooOld,
  toPasswordOwner,
} from './password-demands.store.ts'
