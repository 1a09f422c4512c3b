export { mountPreview } from './preview.routes.ts'
