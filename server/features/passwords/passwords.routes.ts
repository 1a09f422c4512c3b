import {
  checkPassword as checkPasswordCall,
  PasswordPolicy,
  queryPasswordPolicy,
  updatePassword,
} from '#shared/contract/passwords.ts'
import type { Api } from '../../platform/http/mount.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { checkPassword, type PasswordSubjects } from './password-check.service.ts'
import { changeOwnPassword } from './passwords.service.ts'

export function mountPasswords(api: Api, subjects: PasswordSubjects): void {
  api.mount(queryPasswordPolicy, async (ctx) => PasswordPolicy.strip().parse(await signInPolicy(ctx)))
  api.mount(checkPasswordCall, async (ctx, { body }, exchange) => ({
    rules: await checkPassword(ctx, exchange, subjects, body),
  }))
  api.mount(updatePassword, (ctx, { query, body }, { reply }) =>
    changeOwnPassword(ctx, reply, { userId: query.id, oldPassword: body.oldPassword, newPassword: body.newPassword }),
  )
}
