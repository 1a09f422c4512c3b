import { accessRuleImpact, fieldRulesImpact, ipRangeImpact, loginConfigImpact } from '#shared/contract/policy-impact.ts'
import type { Api } from '../../platform/http/mount.ts'
import { predictAccessRule } from './access-rule-impact.service.ts'
import { predictFieldRules } from './account-fields-impact.service.ts'
import { predictIpRange } from './ip-range-impact.service.ts'
import { predictLoginConfig } from './login-config-impact.service.ts'

export function mountPolicyImpact(api: Api): void {
  api.mount(fieldRulesImpact, (ctx, { body }) => predictFieldRules(ctx, body))
  api.mount(loginConfigImpact, (ctx, { body }) => predictLoginConfig(ctx, body))
  api.mount(accessRuleImpact, (ctx, { body }) => predictAccessRule(ctx, body))
  api.mount(ipRangeImpact, (ctx, { body }) => predictIpRange(ctx, body))
}
