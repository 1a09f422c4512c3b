import { completeSetup, setupState } from '#shared/contract/setup.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeSetup, finishSetup } from './setup.service.ts'

export function mountSetup(api: Api): void {
  api.mount(setupState, (ctx, { body }) => describeSetup(ctx, body.token))
  api.mount(completeSetup, async (ctx, { body }) => {
    await finishSetup(ctx, body)
    return null
  })
}
