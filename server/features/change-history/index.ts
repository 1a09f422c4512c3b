export { mountChangeHistory } from './change-history.routes.ts'
