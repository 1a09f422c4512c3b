export { mountLanguages, mountOwnTexts } from './languages.routes.ts'
export { languageRestorer, languagesVersion, offeredLanguages } from './languages.service.ts'
export { textRestorer } from './texts.service.ts'
