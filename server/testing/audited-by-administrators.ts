import { type Audited, type Leaves, of } from './audited-resource.ts'
import { casFields } from './managing.ts'
import { insertLogin } from './portal.ts'

const person = (leaves: Leaves = 'both', body: object = { reason: 'Test' }): Audited => ({
  leaves,
  ask: ({ part }) => of({ id: part.person }, body),
})
const after = (path: string, body: object, then: Audited): Audited => ({
  leaves: then.leaves,
  ask: async (world) => {
    await world.make(path.replace('{id}', world.part.person), body)
    return await then.ask(world)
  },
})
const logExport = { filters: {}, columns: ['at'], format: 'csv', timeZone: 'UTC' }
const why = { reason: 'Test' }

/** The same for administrators' calls, made by the super user: what must exist before they change anything. */
export const AUDITED_BY_ADMINISTRATORS: Readonly<Record<string, Audited>> = {
  'POST /application_grant/bind/': {
    leaves: 'after',
    ask: async (world) => {
      await world.make('/application_manage/create/', casFields(world.word, { type: 'system' }))
      return { body: { memberId: world.part.person, appIds: [world.word] } }
    },
  },
  'POST /application_grant/remove/': {
    leaves: 'before',
    ask: async (world) => {
      await world.make('/application_manage/create/', casFields(world.word, { type: 'system' }))
      await world.make('/application_grant/bind/', { memberId: world.part.person, appIds: [world.word] })
      return { body: { memberId: world.part.person, appIds: [world.word] } }
    },
  },
  'POST /log_insight/{id}/dismiss/': { leaves: 'both', ask: ({ part }) => of({ id: part.insight }) },
  'POST /log_insight/{id}/reopen/': {
    leaves: 'both',
    ask: async ({ make, part }) => {
      await make(`/log_insight/${part.insight}/dismiss/`)
      return of({ id: part.insight })
    },
  },
  'POST /login_log/export/': { leaves: 'after', ask: () => ({ body: logExport }) },
  'POST /app_visit_log/export/': { leaves: 'after', ask: () => ({ body: logExport }) },
  'POST /log_export/{id}/delete/': {
    leaves: 'before',
    ask: async ({ make }) => of(await make('/login_log/export/', logExport), {}),
  },
  'POST /application_grant/update/': {
    leaves: 'both',
    ask: async (world) => {
      await world.make('/application_manage/create/', casFields(world.word, { type: 'system' }))
      await world.make('/application_grant/bind/', { memberId: world.part.person, appIds: [world.word] })
      const validUntil = '2099-01-01T00:00:00Z'
      return { body: { memberId: world.part.person, appId: world.word, version: 1, validUntil } }
    },
  },
  'POST /background_task/{id}/cancel/': {
    leaves: 'before',
    ask: async ({ part, server }) => {
      await server.platform
        .sql`update background_tasks set state = 'queued', finished_at = null where id = ${part.task}`
      return of({ id: part.task })
    },
  },
  'POST /organization/create/': {
    leaves: 'after',
    ask: ({ part, word: code }) => ({ body: { code, name: 'New', parentId: part.organization } }),
  },
  'POST /organization/{id}/update/': {
    leaves: 'both',
    ask: ({ part }) => of({ id: part.below }, { version: 1, name: 'Renamed' }),
  },
  'POST /organization/{id}/move/': {
    leaves: 'both',
    ask: ({ part, above }) => of({ id: part.below }, { version: 1, parentId: above.organization }),
  },
  'POST /organization/{id}/merge/': {
    leaves: 'both',
    ask: ({ part }) => of({ id: part.below }, { version: 1, into: part.organization }),
  },
  'POST /organization/{id}/delete/': { leaves: 'before', ask: ({ part }) => of({ id: part.below }, { version: 1 }) },
  'POST /user_information/create/': {
    leaves: 'after',
    ask: ({ part, word: account }) => ({ body: { account, name: 'New', organizationId: part.organization } }),
  },
  'POST /user_information/{id}/update/': person('both', { version: 1, name: 'Renamed' }),
  'POST /user_information/batch_update/': {
    leaves: 'both',
    ask: ({ part }) => ({ body: { selection: { ids: [part.person] }, fields: { gender: 'female' } } }),
  },
  'POST /user_information/batch_change/': {
    leaves: 'both',
    ask: ({ part }) => ({ body: { selection: { ids: [part.person] }, verb: 'disable', ...why } }),
  },
  'POST /user_information/freeze_list/': {
    leaves: 'both',
    ask: async ({ part, server }) => {
      const rows = await server.platform.sql`select account from users where id = ${part.person}`
      return { body: { accounts: rows.map((row) => row['account']), cause: 'other' } }
    },
  },
  'POST /user_information/batch_lift/': after('/user_information/{id}/lock/', why, {
    leaves: 'both',
    ask: ({ part }) => ({ body: { selection: { ids: [part.person] }, verb: 'unlock', ...why } }),
  }),
  'POST /user_information/{id}/delete/': person('before'),
  'POST /user_information/{id}/restore/': after('/user_information/{id}/delete/', why, person('after')),
  'POST /user_information/{id}/disable_user/': person(),
  'POST /user_information/{id}/enable_user/': after('/user_information/{id}/disable_user/', why, person()),
  'POST /user_information/{id}/end_sessions/': {
    leaves: 'before',
    ask: async ({ part, server }) => {
      await insertLogin(server, part.person)
      return of({ id: part.person })
    },
  },
  'POST /user_information/{id}/freeze/': person(),
  'POST /user_information/{id}/thaw/': after('/user_information/{id}/freeze/', why, person()),
  'POST /user_information/{id}/lock/': person(),
  'POST /user_information/{id}/unlock/': after('/user_information/{id}/lock/', why, person()),
  'POST /user_information/{id}/reset/': person('after'),
}

/** Covered step by step by the tests of imports, syncs and the dormancy run. */
export const AUDITED_ELSEWHERE: readonly string[] = [
  'POST /data_source/{id}/upload/',
  'POST /book_sync_run/{id}/approve/',
  'POST /book_sync_run/{id}/discard/',
  'POST /book_sync_run/{id}/undo/',
  'POST /directory_sync_match/{id}/decide/',
  'POST /directory_sync_run/{id}/approve/',
  'POST /directory_sync_run/{id}/discard/',
  'POST /directory_sync_run/{id}/undo/',
  'POST /ip_range/import/run/',
  'POST /language/import/run/',
  'POST /user_information/dormant/run/confirm/',
  'POST /user_information/import/upload/',
  'POST /user_information/{id}/import/accept/',
  'POST /user_information/{id}/import/check/',
  'POST /user_information/{id}/import/start/',
  'POST /user_information/{id}/import/undo/',
]
