export type { BootstrapInput } from './bootstrap.document.ts'
export { BootstrapError } from './bootstrap.problems.ts'
export { applyBootstrap, applyBootstrapFile } from './bootstrap.service.ts'
