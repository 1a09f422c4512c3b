export { mountPolicySwitch } from './policy-switch.routes.ts'
export { switchPoliciesOff, switchPoliciesOn } from './policy-switch.service.ts'
