export { hasRole, isWithin, ROLE_CODES } from './membership.ts'
