export { searchFormsOf } from './name-search.ts'
