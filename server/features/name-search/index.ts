export { searchFormsOf } from './name-search.ts'
export { byEither, fewMeant, isMeant, type Way, waysToMean } from './person-search.ts'
