export { mountLanguages } from './languages.routes.ts'
export { listEnabledLanguages } from './languages.store.ts'
