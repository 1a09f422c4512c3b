export { mountPolicyImpact } from './policy-impact.routes.ts'
