export { mountPromptPages } from './prompt-pages.routes.ts'
