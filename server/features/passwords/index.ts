export { hashPassword } from './hash-password.service.ts'
export { countAdmittedLogins, withHashAdmission } from './hash-pool.service.ts'
export { importHash, isImportableHash } from './import-hash.service.ts'
export { assertStrongPassword, findBrokenRules } from './new-password.service.ts'
export type { FindPasswordSubject } from './password-check.service.ts'
export { mountPasswords } from './passwords.routes.ts'
export {
  findPasswordPerson,
  type PasswordPerson,
  prepareNewPassword,
  requireCurrentPassword,
} from './passwords.service.ts'
export {
  archivePassword,
  insertPasswords,
  overwritePassword,
  type PasswordRow,
  replacePassword,
  updatePasswordHash,
} from './passwords.store.ts'
export { verifyPassword } from './verify-password.service.ts'
