export { mountAccessRules } from './access-rules.routes.ts'
export { accessRuleRestorer } from './access-rules.service.ts'
export { refuseLockout, refuseOrTryOut } from './lockout.service.ts'
export { listNamedByRules, listRulesNaming, refuseIfNamedByRules } from './named-by-rules.service.ts'
