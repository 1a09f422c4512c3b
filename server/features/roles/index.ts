export { hasRole, isWithin, roleCodes } from './membership.ts'
