export { isSealed, SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from './settings.documents.ts'
export { changeSettings, settingsRestorer } from './settings.service.ts'
