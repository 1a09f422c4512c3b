export { searchFormsOf } from '../name-search/index.ts'
