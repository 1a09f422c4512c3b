export { searchFormsOf } from './name-search.ts'
export { meant, type Way, waysToMean } from './person-search.ts'
