export { mountReferenceData } from './reference-data.routes.ts'
export { insertUnknownAttributes, type ReferenceTable, saveEntries } from './reference-data.store.ts'
