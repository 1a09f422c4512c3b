export {
  exactPredicates,
  listMeantIds,
  matchesAny,
  rowMatchesAny,
  type SearchPredicate,
  searchPredicates,
} from './person-search.store.ts'
export { buildSearchKeys } from './search-keys.rules.ts'
