import { loginConfigImpact } from '#shared/contract/policy-impact.ts'
import type { Api } from '../../platform/http/mount.ts'
import { predictLoginConfig } from './login-config-impact.service.ts'

export function mountPolicyImpact(api: Api): void {
  api.mount(loginConfigImpact, (ctx, { body }) => predictLoginConfig(ctx, body))
}
