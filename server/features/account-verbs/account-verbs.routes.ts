import { freezeListed } from '#shared/contract/account-holds.ts'
import {
  batchUpdateUsers,
  cancelAdministrator,
  changeRoleOfUsers,
  changeUsers,
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  freezeUser,
  liftUsers,
  lockUser,
  resetMethods,
  resetUser,
  restoreUser,
  setAdministrator,
  thawUser,
  unlockUser,
} from '#shared/contract/user-verbs.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changePeople, toPersonFields } from './batch.service.ts'
import { endPersonSessions } from './end-sessions.service.ts'
import { freezeByNumbers } from './freeze-list.service.ts'
import { resetPerson } from './reset.service.ts'
import { listResetContacts } from './reset-contacts.service.ts'
import { applyVerbToPerson } from './verbs.service.ts'

const VERBS = [
  [disableUser, 'disable'],
  [enableUser, 'enable'],
  [unlockUser, 'unlock'],
  [thawUser, 'thaw'],
  [setAdministrator, 'set_administrator'],
  [cancelAdministrator, 'cancel_administrator'],
  [deleteUser, 'delete'],
  [restoreUser, 'restore'],
] as const

const dateOf = (moment: string | null | undefined): Date | null => (moment ? new Date(moment) : null)

export function mountAccountVerbs(api: Api): void {
  api.mount(batchUpdateUsers, (ctx, { body: { selection, dryRun, fields } }) =>
    changePeople(ctx, selection, { kind: 'fields', fields: toPersonFields(fields) }, dryRun),
  )
  api.mount(changeUsers, (ctx, { body: { selection, dryRun, verb, ...work } }) =>
    changePeople(ctx, selection, verb === 'notify' ? { kind: 'notice' } : { kind: 'verb', verb, ...work }, dryRun),
  )
  api.mount(liftUsers, (ctx, { body: { selection, dryRun, ...work } }) =>
    changePeople(ctx, selection, { kind: 'verb', ...work }, dryRun),
  )
  api.mount(changeRoleOfUsers, (ctx, { body: { selection, dryRun, ...work } }) =>
    changePeople(ctx, selection, { kind: 'role', ...work }, dryRun),
  )
  api.mount(freezeListed, (ctx, { body }) => freezeByNumbers(ctx, body))
  for (const [call, verb] of VERBS) {
    api.mount(call, (ctx, { query, body }) => applyVerbToPerson(ctx, query.id, { verb, reason: body.reason }))
  }
  api.mount(lockUser, (ctx, { query, body: { reason, until } }) =>
    applyVerbToPerson(ctx, query.id, { verb: 'lock', reason, until: dateOf(until) }),
  )
  api.mount(freezeUser, (ctx, { query, body: { from, until, ...why } }) =>
    applyVerbToPerson(ctx, query.id, { verb: 'freeze', ...why, from: dateOf(from), until: dateOf(until) }),
  )
  api.mount(resetMethods, (ctx, { query }) => listResetContacts(ctx, query.id))
  api.mount(resetUser, (ctx, { query, body }) => resetPerson(ctx, query.id, body))
  api.mount(endUserSessions, (ctx, { query, body }) => endPersonSessions(ctx, query.id, body.ids))
}
