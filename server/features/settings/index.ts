export { changeSettings, editSettings, settingsRestorer } from './settings.service.ts'
export { isSealed, SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from './settings-documents.rules.ts'
