export { codeReauthentication } from './code-method.service.ts'
export { passwordReauthentication } from './password-method.service.ts'
export { mountReauthentication } from './reauthentication.routes.ts'
export {
  invalidateReauthentication,
  type ReauthenticationHandler,
  requireReauthentication,
} from './reauthentication.service.ts'
export { deleteReauthenticationsOf } from './reauthentication.store.ts'
