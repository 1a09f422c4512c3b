export { guessMapping } from './import-columns.rules.ts'
export { importTasks } from './user-imports.jobs.ts'
export { mountUserImports } from './user-imports.routes.ts'
export { purgeImportRows } from './user-imports.service.ts'
