export {
  countCustomValues,
  deleteCustomValues,
  hasRepeatedCustomValue,
  setCustomValues,
} from './custom-values.store.ts'
export {
  addLoginName,
  findLoginNameOwner,
  LOGIN_NAME_KINDS,
  type LoginNameKind,
  type LoginNameRow,
  listLoginNameOwners,
  replaceLoginNames,
  setLoginName,
  toLoginNames,
} from './login-names.store.ts'
export { isUsableSuperUser, wouldLeaveNoSuperUser } from './super-users.store.ts'
export {
  comparableValue,
  comparedColumn,
  hasUnhashedIdNumbers,
  idNumberMac,
  listUnhashedIdNumbers,
  listValueOwners,
  lockUniqueFields,
  saveIdNumberMacs,
  type UniqueField,
} from './unique-values.store.ts'
export {
  moveDeletedUsersUp,
  moveSecondaryMembers,
  moveUsers,
  replaceSecondaryOrganizations,
} from './user-organizations.store.ts'
export {
  backfillLastLogins,
  endExpiredLocks,
  lockDormant,
  loginUpdate,
  makeDormant,
  markActivated,
  markAppointed,
  markDormant,
  markPasswordChanged,
  type OverLocks,
  reinstateSuperUser,
  resetActivation,
  updateByVerb,
  type VerbChange,
} from './user-states.store.ts'
export { errors as userErrors } from './users.errors.ts'
export {
  bumpUserVersion,
  clearInDeletedUsers,
  confirmContact,
  insertUsers,
  type Profile,
  setAccount,
  setContact,
  setIdNumber,
  type UserRow,
  updateProfile,
  updateUsers,
} from './users.store.ts'
