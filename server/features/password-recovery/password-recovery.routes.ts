import {
  beginRecovery,
  proveByCode,
  proveByQuestions,
  queryRecovery,
  updatePasswordByEmail,
  updatePasswordByPhone,
  updatePasswordByQuestions,
} from '#shared/contract/password-recovery.ts'
import type { Api } from '../../platform/http/mount.ts'
import * as begin from './begin-recovery.service.ts'
import * as recovery from './password-recovery.service.ts'
import { getRecoveryRules } from './recovery-settings.service.ts'

const BY_METHOD = [
  [updatePasswordByPhone, 'phone'],
  [updatePasswordByEmail, 'mailbox'],
  [updatePasswordByQuestions, 'questions'],
] as const

export function mountPasswordRecovery(api: Api): void {
  api.mount(queryRecovery, async (ctx) => {
    const { offered, asksName } = await getRecoveryRules(ctx)
    return { offered, asksName }
  })
  api.mount(beginRecovery, (ctx, { body }, exchange) => begin.beginRecovery(ctx, exchange, body))
  api.mount(proveByQuestions, (ctx, { query, body }, exchange) =>
    recovery.proveByQuestions(ctx, exchange, { ...query, ...body }),
  )
  api.mount(proveByCode, (ctx, { query, body }, exchange) =>
    recovery.proveByCode(ctx, exchange, { ...query, ...body, proof: body.proof }),
  )
  for (const [call, method] of BY_METHOD) {
    api.mount(call, (ctx, { query, body }, exchange) =>
      recovery.setPassword(ctx, exchange, { ...query, ...body, method }),
    )
  }
}
