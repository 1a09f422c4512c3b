export { mountGetStarted } from './get-started.routes.ts'
