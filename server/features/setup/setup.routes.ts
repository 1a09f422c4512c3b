import { completeSetup, setupState, testSetupMail, testSetupSms } from '#shared/contract/setup.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeSetup, finishSetup, tryMail, trySms } from './setup.service.ts'

export function mountSetup(api: Api): void {
  api.mount(setupState, (ctx, { body }) => describeSetup(ctx, body.token))
  api.mount(testSetupMail, (ctx, { body }) => tryMail(ctx, body))
  api.mount(testSetupSms, (ctx, { body }) => trySms(ctx, body))
  api.mount(completeSetup, async (ctx, { body }) => {
    await finishSetup(ctx, body)
    return null
  })
}
