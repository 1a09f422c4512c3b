export { mountAdministrators } from './administrators.routes.ts'
export { voidIssued, voidMatches } from './issued-before.store.ts'
export { administersNow, inScope, mayManage, organizationsInScope, powersOf } from './scope.ts'
