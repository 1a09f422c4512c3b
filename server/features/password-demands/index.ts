export { findLoginDemands } from './login-demands.service.ts'
export { passwordDueAt } from './password-age.rules.ts'
export {
  findPasswordHolder,
  type HolderRow,
  holderColumns,
  isPasswordTooOld,
  toHolder,
} from './password-demands.store.ts'
