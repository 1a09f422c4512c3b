export { findLoginDemands } from './login-demands.service.ts'
export { passwordDueAt } from './password-age.rules.ts'
export {
  findPasswordOwner,
  isPasswordTooOld,
  type OwnerFactsRow,
  ownerFactsColumns,
  toPasswordOwner,
} from './password-demands.store.ts'
