export { searchFormsOf } from './name-search.ts'
export { byEither, meant, type Way, waysToMean } from './person-search.ts'
