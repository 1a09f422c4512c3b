import type { Part } from './departments.ts'

export type Ask = {
  /** Values of the path's parameters. */
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** A call as an administrator of `own` would make it about something in `part`, which may be their own, somebody else's or nothing. */
export type Described = {
  asks: readonly ((part: Part, own: Part, applicationId: string) => Ask)[]
  /** The error code with which it fails even for their own part, as a valid case takes too much preparation. */
  refusedWith?: string
}

const person = (body: object = {}): Described => ({ asks: [(part) => ({ path: { id: part.person }, body })] })
const reading = (...asks: Described['asks']): Described => ({ asks })
const all: Described = { asks: [() => ({})] }

const selected = (more: object): Described => ({
  asks: [
    (part) => ({ body: { selection: { ids: [part.person] }, ...more } }),
    (part, own) => ({ body: { selection: { ids: [own.colleague, part.person] }, dryRun: true, ...more } }),
    (part, own) => ({
      body: {
        selection: { all: { organizationId: part.organization }, expected: part === own ? 2 : 0 },
        dryRun: true,
        ...more,
      },
    }),
  ],
})

const newPerson = { name: 'Somebody', gender: 'unknown' }
/** Login names are globally unique, so each call needs its own. */
let made = 0
const account = () => `new-${++made}`

/** Every call that is open to scoped administrators. A missing one fails the test. */
export const SCOPE_CALLS: Readonly<Record<string, Described>> = {
  'GET /application_grant/impact/': reading((part) => ({
    query: { appId: 'library', memberIds: part.person, change: 'give' },
  })),
  'GET /application_grant/of_person/{userId}/': reading((part) => ({ path: { userId: part.person } })),
  'GET /application_grant/query/': reading(
    () => ({}),
    () => ({ query: { search: 'hush' } }),
    () => ({ query: { kind: 'organization' } }),
  ),
  'GET /application_grant/selectable/': reading((part) => ({ query: { memberId: part.person } })),
  'GET /application_grant/why/': reading((part, _own, applicationId) => ({
    query: { userId: part.person, applicationId },
  })),
  'POST /application_grant/bind/': { asks: [(part) => ({ body: { memberId: part.person, appIds: ['library'] } })] },
  'POST /application_grant/remove/': { asks: [(part) => ({ body: { memberId: part.person, appIds: ['library'] } })] },
  'POST /application_grant/update/': {
    asks: [(part) => ({ body: { memberId: part.person, appId: 'library', version: 1 } })],
    refusedWith: 'application-grant.not-found',
  },
  'GET /background_task/query/': all,
  'GET /background_task/{id}/details/': reading((part) => ({ path: { id: part.task } })),
  'POST /background_task/{id}/cancel/': {
    asks: [(part) => ({ path: { id: part.task }, body: {} })],
    refusedWith: 'task.has-ended',
  },
  'GET /change_history/person/{userId}/': reading((part) => ({ path: { userId: part.person } })),
  'GET /global_search/query/': reading(
    () => ({ query: { search: 'hush' } }),
    () => ({ query: { search: 'ours' } }),
  ),
  'GET /login_log/query/': reading(
    () => ({}),
    () => ({ query: { search: 'hush' } }),
    (part) => ({ query: { userId: part.person } }),
    (part) => ({ query: { organizationId: part.organization } }),
  ),
  'GET /login_log/figures/': reading(
    () => ({}),
    (part) => ({ query: { organizationId: part.organization } }),
  ),
  'GET /app_visit_log/figures/': reading(() => ({})),
  // The owner's permissions are checked while the file is made: log-exports.test.ts.
  'POST /login_log/export/': { asks: [] },
  'POST /app_visit_log/export/': { asks: [] },
  'GET /log_export/query/': reading(() => ({ query: { log: 'login' } })),
  'GET /log_export/{id}/download/': {
    asks: [(part) => ({ path: { id: part.task } })],
    refusedWith: 'log-export.not-found',
  },
  'POST /log_export/{id}/delete/': {
    asks: [(part) => ({ path: { id: part.task }, body: {} })],
    refusedWith: 'log-export.not-found',
  },
  'GET /log_insight/query/': reading(() => ({})),
  'POST /log_insight/{id}/dismiss/': { asks: [(part) => ({ path: { id: part.insight }, body: {} })] },
  'POST /log_insight/{id}/reopen/': { asks: [(part) => ({ path: { id: part.insight }, body: {} })] },
  'GET /log_choice/application/': all,
  'GET /log_choice/ip_range/': all,
  'GET /login_log/details/': reading((part) => ({ query: { key: part.logKey } })),
  'GET /app_visit_log/query/': reading(
    () => ({}),
    (part) => ({ query: { userId: part.person } }),
    (part) => ({ query: { organizationId: part.organization } }),
  ),
  'GET /app_visit_log/details/': reading((part) => ({ query: { key: part.logKey } })),
  'GET /message_log/query/': reading(
    () => ({}),
    () => ({ query: { search: 'hush' } }),
    (part) => ({ query: { userId: part.person } }),
    (part) => ({ query: { organizationId: part.organization } }),
  ),
  'GET /message_log/details/': reading((part) => ({ query: { key: part.messageKey } })),
  'GET /org_attribute/options/': all,
  'GET /user_category/options/': all,
  'GET /user_feature/options/': all,
  'GET /role/options/': reading(
    () => ({}),
    () => ({ query: { search: 'hush' } }),
  ),
  'GET /role/of_person/{userId}/': reading((part) => ({ path: { userId: part.person } })),
  'GET /organization/children/': reading(
    () => ({}),
    (part) => ({ query: { parentId: part.organization } }),
  ),
  'GET /organization/search/': reading(
    () => ({ query: { search: 'hush' } }),
    () => ({ query: { search: 'ours' } }),
  ),
  'GET /organization/{id}/path/': reading((part) => ({ path: { id: part.organization } })),
  'GET /organization/{id}/details/': reading((part) => ({ path: { id: part.organization } })),
  'GET /organization/{id}/affects/': reading((part) => ({ path: { id: part.organization } })),
  'GET /organization/{id}/move_affects/': reading(
    (part, own) => ({ path: { id: own.below }, query: { parentId: part.organization } }),
    (part, own) => ({ path: { id: part.below }, query: { parentId: own.organization } }),
  ),
  'POST /organization/create/': {
    asks: [(part) => ({ body: { code: account(), name: 'New', parentId: part.organization } })],
  },
  'POST /organization/{id}/update/': {
    asks: [(part) => ({ path: { id: part.below }, body: { version: 1, name: 'Renamed' } })],
  },
  'POST /organization/{id}/move/': {
    asks: [
      (part, own) => ({ path: { id: own.below }, body: { version: 1, parentId: part.organization } }),
      (part, own) => ({ path: { id: part.below }, body: { version: 1, parentId: own.organization } }),
    ],
  },
  'POST /organization/{id}/merge/': {
    asks: [
      (part, own) => ({ path: { id: part.below }, body: { version: 1, into: own.organization } }),
      (part, own) => ({ path: { id: own.below }, body: { version: 1, into: part.organization } }),
    ],
  },
  'POST /organization/{id}/delete/': { asks: [(part) => ({ path: { id: part.below }, body: { version: 1 } })] },
  'GET /user_information/dormant/query/': reading(
    () => ({}),
    (part) => ({ query: { dormancy: 'soon', organizationId: part.organization } }),
    () => ({ query: { dormancy: 'exempt', neverLoggedIn: '1' } }),
  ),
  'GET /user_information/frozen/query/': reading(
    () => ({}),
    (part) => ({ query: { organizationId: part.organization } }),
    () => ({ query: { freezeCause: 'other' } }),
  ),
  'POST /user_information/freeze_list/': {
    // A person elsewhere is as unknown as an account that nobody has.
    asks: [(part) => ({ body: { accounts: [part.person], cause: 'other', dryRun: true } })],
  },
  'GET /user_information/locked/query/': reading(
    () => ({}),
    (part) => ({ query: { organizationId: part.organization } }),
    () => ({ query: { search: 'hush' } }),
  ),
  'GET /person_field/query/': all,
  'GET /user_information/query/': reading(
    () => ({}),
    () => ({ query: { search: 'hush' } }),
    (part) => ({ query: { organizationId: part.organization } }),
    () => ({ query: { state: 'deleted' } }),
    () => ({ query: { isSuperUser: '1' } }),
  ),
  'GET /user_information/export/': reading(
    () => ({ query: { format: 'csv' } }),
    (part) => ({ query: { format: 'csv', organizationId: part.organization } }),
  ),
  'GET /user_information/{id}/full_details/': reading((part) => ({ path: { id: part.person } })),
  'GET /user_information/{id}/login_check/': reading((part) => ({ path: { id: part.person } })),
  'GET /user_information/{id}/typeId/': reading((part) => ({ path: { id: part.person } })),
  'GET /user_information/{id}/records/': reading((part) => ({ path: { id: part.person }, query: { kind: 'change' } })),
  'GET /user_information/{id}/sessions/': reading((part) => ({ path: { id: part.person } })),
  'POST /user_information/create/': {
    asks: [
      (part) => ({ body: { ...newPerson, account: account(), organizationId: part.organization } }),
      (part, own) => ({
        body: {
          ...newPerson,
          account: account(),
          organizationId: own.organization,
          secondaryOrganizationIds: [part.below],
        },
      }),
    ],
  },
  'POST /user_information/{id}/update/': {
    asks: [
      (part) => ({ path: { id: part.person }, body: { version: 1, name: 'Renamed' } }),
      (part, own) => ({ path: { id: own.person }, body: { version: 1, organizationId: part.below } }),
      (part, own) => ({ path: { id: own.colleague }, body: { version: 1, secondaryOrganizationIds: [part.below] } }),
    ],
  },
  'POST /user_information/batch_update/': {
    asks: [
      ...selected({ fields: { gender: 'female' } }).asks,
      (part, own) => ({
        body: { selection: { ids: [own.colleague] }, dryRun: true, fields: { organizationId: part.organization } },
      }),
    ],
  },
  'POST /user_information/batch_change/': selected({ verb: 'disable', reason: 'Test' }),
  'POST /user_information/batch_lift/': selected({ verb: 'unlock', reason: 'Test' }),
  'POST /user_information/{id}/delete/': person({ reason: 'Test' }),
  'POST /user_information/{id}/restore/': person({ reason: 'Test' }),
  'POST /user_information/{id}/disable_user/': person({ reason: 'Test' }),
  'POST /user_information/{id}/enable_user/': person({ reason: 'Test' }),
  'POST /user_information/{id}/end_sessions/': person(),
  'POST /user_information/{id}/freeze/': person({ reason: 'Test' }),
  'POST /user_information/{id}/lock/': person({ reason: 'Test' }),
  'GET /user_information/{id}/reset_methods/': reading((part) => ({ path: { id: part.person } })),
  'POST /user_information/{id}/reset/': person({ reason: 'Test' }),
  'POST /user_information/{id}/thaw/': person({ reason: 'Test' }),
  'POST /user_information/{id}/unlock/': person({ reason: 'Test' }),
  'GET /user_information/import/query/': all,
  'GET /user_information/import/template/': reading(() => ({ query: { format: 'csv' } })),
  'GET /user_information/{id}/import/': reading((part) => ({ path: { id: part.userImport } })),
  'GET /user_information/{id}/import/rows/': reading((part) => ({ path: { id: part.userImport } })),
  'GET /user_information/{id}/import/download/': reading((part) => ({ path: { id: part.userImport } })),
  'POST /user_information/{id}/import/check/': {
    asks: [(part) => ({ path: { id: part.userImport }, body: { version: 1, mapping: [] } })],
    refusedWith: 'import.no-account-column',
  },
  'POST /user_information/{id}/import/accept/': {
    asks: [
      (part) => ({ path: { id: part.userImport }, body: { version: 1, selection: { all: true }, accepted: true } }),
    ],
    refusedWith: 'import.wrong-state',
  },
  'POST /user_information/{id}/import/start/': {
    asks: [(part) => ({ path: { id: part.userImport }, body: { version: 1 } })],
    refusedWith: 'import.wrong-state',
  },
  'POST /user_information/{id}/import/undo/': {
    asks: [(part) => ({ path: { id: part.userImport }, body: { version: 1 } })],
  },
  // The content of a file is covered by the import's own tests; the upload names nothing that exists.
  'POST /user_information/import/upload/': { asks: [] },
}
