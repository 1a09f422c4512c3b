export { mountLanguages } from './languages.routes.ts'
