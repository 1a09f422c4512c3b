export { applyBootstrap, applyBootstrapFile } from './bootstrap.service.ts'
export type { BootstrapInput } from './bootstrap-document.types.ts'
export { BootstrapError } from './bootstrap-problems.errors.ts'
