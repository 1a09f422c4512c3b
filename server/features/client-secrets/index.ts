export { rotateClientSecret } from './client-secrets.service.ts'
