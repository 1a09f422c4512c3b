export { mountApiDocs } from './api-docs.routes.ts'
