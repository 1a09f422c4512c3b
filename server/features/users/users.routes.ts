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
  listUserRecords,
  listUserSessions,
  lockUser,
  resetUser,
  resetWays,
  restoreUser,
  setAdministrator,
  thawUser,
  unlockUser,
} from '#shared/contract/user-verbs.ts'
import { createUser, listUsers, updateUser, userDetails, userTypeId } from '#shared/contract/users.ts'
import type { Api } from '../../platform/http/mount.ts'
import { endPersonSessions, personRecords, personSessions } from './activity.service.ts'
import { changeMany, givenFields } from './batch.service.ts'
import { readDetails } from './details.service.ts'
import { createPerson, updatePerson } from './form.service.ts'
import { listPeople } from './people.service.ts'
import { resetPerson } from './reset.service.ts'
import { waysToReset } from './reset.ways.ts'
import { changePerson } from './verbs.service.ts'

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

export function mountUsers(api: Api): void {
  api.mount(listUsers, (ctx, { query }) => listPeople(ctx, query))
  api.mount(userDetails, (ctx, { query }) => readDetails(ctx, query.id))
  api.mount(userTypeId, async (ctx, { query }) => {
    const { category } = await readDetails(ctx, query.id)
    return { typeId: category?.id ?? null, typeCode: category?.code ?? null, typeName: category?.name ?? null }
  })
  api.mount(createUser, (ctx, { body }) => createPerson(ctx, body))
  api.mount(updateUser, (ctx, { query, body }) => updatePerson(ctx, query.id, body))
  api.mount(batchUpdateUsers, (ctx, { body: { selection, dryRun, fields } }) =>
    changeMany(ctx, selection, { kind: 'fields', fields: givenFields(fields) }, dryRun),
  )
  api.mount(changeUsers, (ctx, { body: { selection, dryRun, ...work } }) =>
    changeMany(ctx, selection, { kind: 'verb', ...work }, dryRun),
  )
  api.mount(liftUsers, (ctx, { body: { selection, dryRun, ...work } }) =>
    changeMany(ctx, selection, { kind: 'verb', ...work }, dryRun),
  )
  api.mount(changeRoleOfUsers, (ctx, { body: { selection, dryRun, ...work } }) =>
    changeMany(ctx, selection, { kind: 'role', ...work }, dryRun),
  )
  for (const [call, verb] of VERBS) {
    api.mount(call, (ctx, { query, body }) => changePerson(ctx, query.id, { verb, reason: body.reason }))
  }
  api.mount(lockUser, (ctx, { query, body: { reason, until } }) =>
    changePerson(ctx, query.id, { verb: 'lock', reason, until: dateOf(until) }),
  )
  api.mount(freezeUser, (ctx, { query, body: { reason, from, until } }) =>
    changePerson(ctx, query.id, { verb: 'freeze', reason, from: dateOf(from), until: dateOf(until) }),
  )
  api.mount(resetWays, (ctx, { query }) => waysToReset(ctx, query.id))
  api.mount(resetUser, (ctx, { query, body }) => resetPerson(ctx, query.id, body))
  api.mount(listUserSessions, (ctx, { query }) => personSessions(ctx, query))
  api.mount(endUserSessions, (ctx, { query, body }) => endPersonSessions(ctx, query.id, body.ids))
  api.mount(listUserRecords, (ctx, { query }) => personRecords(ctx, query))
}
