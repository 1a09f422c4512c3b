export { mountMessageTemplates } from './message-templates.routes.ts'
