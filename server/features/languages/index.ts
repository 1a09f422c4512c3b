export { mountLanguages, mountOwnTexts } from './languages.routes.ts'
export { findLanguages, listEnabledLanguages } from './languages.store.ts'
export { textRestorer } from './texts.service.ts'
