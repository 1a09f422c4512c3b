export { mountUserImports } from './user-imports.routes.ts'
export { forgetImportRows } from './user-imports.service.ts'
export { importTasks } from './user-imports.tasks.ts'
