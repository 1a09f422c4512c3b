export { mountTableChoices } from './table-choices.routes.ts'
