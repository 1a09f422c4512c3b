import { completeSetup, setupState, testSetupMail, testSetupSms } from '#shared/contract/setup.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeSetup, finishSetup, testMailDuringSetup, testSmsDuringSetup } from './setup.service.ts'

export function mountSetup(api: Api): void {
  api.mount(setupState, (ctx, { body }) => describeSetup(ctx, body.token))
  api.mount(testSetupMail, (ctx, { body }) => testMailDuringSetup(ctx, body))
  api.mount(testSetupSms, (ctx, { body }) => testSmsDuringSetup(ctx, body))
  api.mount(completeSetup, async (ctx, { body }) => {
    await finishSetup(ctx, body)
    return null
  })
}
