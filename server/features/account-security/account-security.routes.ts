import {
  answerSecurityQuestions,
  bindAlias,
  bindMailbox,
  bindPhone,
  queryAccountSecurity,
  unbindContact,
} from '#shared/contract/account-security.ts'
import type { Api } from '../../platform/http/mount.ts'
import { getAccountSecurity } from './account-security.service.ts'
import * as alias from './alias.service.ts'
import { bindContact } from './contact.service.ts'
import { answerQuestions } from './security-questions.service.ts'
import * as removal from './unbind.service.ts'

export function mountAccountSecurity(api: Api): void {
  api.mount(queryAccountSecurity, (ctx) => getAccountSecurity(ctx))
  api.mount(bindPhone, (ctx, { query, body: { phone, code, version } }) =>
    bindContact(ctx, { id: query.id, kind: 'phone', typed: phone, code, version }),
  )
  api.mount(bindMailbox, (ctx, { query, body: { mailbox, code, version } }) =>
    bindContact(ctx, { id: query.id, kind: 'mailbox', typed: mailbox, code, version }),
  )
  api.mount(bindAlias, (ctx, { query, body }) =>
    alias.bindAlias(ctx, { id: query.id, typed: body.alias, version: body.version }),
  )
  api.mount(unbindContact, (ctx, { query, body }) =>
    removal.unbind(ctx, { id: query.id, kind: body.kind, lastMethod: body.lastMethod, version: body.version }),
  )
  api.mount(answerSecurityQuestions, (ctx, { query, body }) =>
    answerQuestions(ctx, { id: query.id, answers: body.answers, version: body.version }),
  )
}
