export { mountAdministrators } from './administrators.routes.ts'
export { administersNow, inScope, mayManage, organizationsInScope, powersOf } from './scope.ts'
