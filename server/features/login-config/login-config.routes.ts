import { loginConfigDetails, testPassword, updateLoginConfig } from '#shared/contract/login-config.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeLoginConfig, describeLoginConfig } from './login-config.service.ts'
import { judgePassword } from './password-test.service.ts'

export function mountLoginConfig(api: Api): void {
  api.mount(loginConfigDetails, (ctx) => describeLoginConfig(ctx))
  api.mount(updateLoginConfig, (ctx, { body }) => changeLoginConfig(ctx, body))
  api.mount(testPassword, (ctx, { body }) => judgePassword(ctx, body))
}
