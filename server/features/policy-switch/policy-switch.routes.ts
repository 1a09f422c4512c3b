import { switchPoliciesOnCall } from '#shared/contract/policy-switch.ts'
import type { Api } from '../../platform/http/mount.ts'
import { switchPoliciesOn } from './policy-switch.service.ts'

export function mountPolicySwitch(api: Api): void {
  api.mount(switchPoliciesOnCall, async (ctx) => {
    await switchPoliciesOn(ctx)
    return null
  })
}
