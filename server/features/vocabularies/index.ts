export { mountVocabularies } from './vocabularies.routes.ts'
