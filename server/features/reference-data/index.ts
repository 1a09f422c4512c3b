export { mountReferenceData } from './reference-data.routes.ts'
