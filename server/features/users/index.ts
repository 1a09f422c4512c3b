export { takeLoginName } from './login-names.store.ts'
export { searchFormsOf } from './name-search.ts'
