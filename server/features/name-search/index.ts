export { searchFormsOf } from './name-search.ts'
export { byEither, isMeant, type Way, waysToMean } from './person-search.ts'
