export { inScope, mayManage, organizationsInScope, powersOf } from './scope.ts'
