export {
  type AccessDecision,
  asksWhenUnsure,
  decideAccess,
  failedDimensions,
  type JudgedRule,
  judgeableRule,
  mayApply,
  momentsOf,
  mustHaveSecondFactor,
  type NamedPeople,
  needsOf,
  PORTAL_APP_ID,
  peopleNamedIn,
  type RuleNeeds,
  referenceKey,
  referencesOf,
  ruleMessage,
  saidBeforeProof,
} from './access-decision.rules.ts'
export { findReferences, listStoredRules } from './access-rules.store.ts'
export type { AccessFacts, AccessPerson, AccessPlace, SaidRule, StoredRule } from './access-rules.types.ts'
export {
  forServers,
  invalidateAccessRules,
  judgeRules,
  NO_RULES,
  type RulesInForce,
  rulesInForce,
} from './access-rules-lookup.service.ts'
export { ACCOUNT_FACT_COLUMNS, accountFactColumns } from './account-facts.store.ts'
export {
  gainsPermissions,
  inScope,
  mayManage,
  organizationsInScope,
  permissionsAt,
  permissionsOf,
} from './administrator-scope.store.ts'
export {
  applicationFactColumns,
  grantHolds,
  grantHoldsWithout,
  isReachedByRole,
  withRoleGrants,
} from './application-grants.store.ts'
export {
  forSuperUsers,
  hasLimitedScope,
  isAdministrator,
  requireSuperUser,
  seesEverything,
  visibleOwner,
} from './caller.rules.ts'
export { type AccountFacts, type ApplicationFacts, type DenialReason, mayLogIn } from './gate.rules.ts'
export { isOrganizationVisible, isPersonVisible } from './person-visibility.store.ts'
export { isProtected } from './protected-people.store.ts'
export {
  demandsText,
  isRequiredAfterLogin,
  lackedText,
  REQUIRABLE_FIELDS,
  type RequiredField,
} from './required-fields.store.ts'
export { hasRole, isWithin, ROLE_CODES } from './role-membership.store.ts'
export {
  factsKey,
  findAccessPerson,
  mayBeNamed,
  namedCondition,
  peopleKeys,
  type RuleFactsRow,
  type RuleShape,
  ruleFactColumns,
  ruleFacts,
  ruleParameters,
  ruleShape,
  toAccessPerson,
} from './rule-facts.store.ts'
export { ReadablePolicy, settingsRules } from './settings-rules.rules.ts'
export { isZone } from './zone-clock.rules.ts'
