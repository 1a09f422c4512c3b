export { isClientSecret } from './client-secrets.rules.ts'
export { rotateClientSecret } from './client-secrets.service.ts'
