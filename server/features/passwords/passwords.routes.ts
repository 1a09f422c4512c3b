import { checkPassword as checkPasswordCall, queryPasswordPolicy, updatePassword } from '#shared/contract/passwords.ts'
import type { Api } from '../../platform/http/mount.ts'
import { checkPassword, describePasswordPolicy, type PasswordSubjects } from './password-check.service.ts'
import { changeOwnPassword } from './passwords.service.ts'

export function mountPasswords(api: Api, subjects: PasswordSubjects): void {
  api.mount(queryPasswordPolicy, (ctx, _input, exchange) => describePasswordPolicy(ctx, exchange))
  api.mount(checkPasswordCall, (ctx, { body }, exchange) => checkPassword(ctx, exchange, subjects, body))
  api.mount(updatePassword, (ctx, { query, body }, { reply }) =>
    changeOwnPassword(ctx, reply, { userId: query.id, oldPassword: body.oldPassword, newPassword: body.newPassword }),
  )
}
