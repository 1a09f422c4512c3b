export { takeLoginName } from './login-names.store.ts'
export { searchFormsOf } from './name-search.ts'
export { MOST_ROWS, saveUsers } from './save-users.service.ts'
export type { PersonFields, PersonInput, PersonValues, SaveOptions, SaveOutcome } from './save-users.types.ts'
