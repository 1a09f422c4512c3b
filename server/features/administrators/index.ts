export { mountAdministrators } from './administrators.routes.ts'
export { voidIssued, voidMatches } from './issued-before.store.ts'
export { administersNow, gainsPowers, inScope, mayManage, organizationsInScope, powersAt, powersOf } from './scope.ts'
