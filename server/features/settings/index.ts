export { toDocuments } from './file-settings.rules.ts'
export { canSomeSuperUserLogIn } from './login-ways.service.ts'
export { changeSettings, editSettings, resetSettings, settingsRestorer } from './settings.service.ts'
export { isSealed, SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from './settings-documents.rules.ts'
