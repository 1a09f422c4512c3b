export { mountGlobalSearch } from './global-search.routes.ts'
