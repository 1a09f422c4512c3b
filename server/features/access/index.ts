export { ACCOUNT_FACT_COLUMNS, accountFactColumns } from './account-facts.store.ts'
export {
  gainsPowers,
  IS_ADMINISTRATOR,
  inScope,
  isAdministrator,
  mayManage,
  organizationsInScope,
  powersAt,
  powersOf,
} from './administrator-scope.store.ts'
export { applicationFactColumns, grantHolds, isReachedByRole, withRoleGrants } from './application-grants.store.ts'
export { type AccountFacts, type DenialReason, mayLogIn } from './gate.rules.ts'
export { isPersonVisible } from './person-visibility.store.ts'
export { hasRole, isWithin, ROLE_CODES } from './role-membership.store.ts'
export { requiresSecondFactor } from './second-factor-demand.rules.ts'
