import type { Grant, PersonAccess } from '#shared/contract/application-grants.ts'
import type { MyApplication } from '#shared/contract/applications.ts'
import { applyBootstrap } from '../features/bootstrap/index.ts'
import { openPortal, type Portal, type Reply } from './portal.ts'
import { startTestServer } from './server.ts'

export type Page<Row> = { records: Row[]; total: number }
export type GrantChange = { changed: number; refused: { appId: string; code: string }[] }
type Selectable = {
  applications: { appId: string; state: number }[]
  selectable: number
  authorised: number
  openToAll: number
}
type AccessReasons = {
  granted: boolean
  paths: PersonAccess['paths']
  obstacles: string[]
  until: string | null
  otherGrants: number | null
}

export const UNKNOWN = '00000000-0000-7000-8000-000000000000'

export const refusal = ({ status, envelope }: Reply) => [status, envelope.code]

const app = (appId: string, more: object = {}) => ({
  appId,
  name: `App ${appId}`,
  protocol: 'cas' as const,
  type: 'system' as const,
  url: `https://${appId}.test/`,
  serviceUrls: [`https://${appId}.test/**`],
  ...more,
})

const SCHOOL = {
  organizations: [
    { code: 'school', name: 'School' },
    { code: 'cs', name: 'Computing', parent: 'school' },
    { code: 'lab', name: 'Laboratory', parent: 'cs' },
    { code: 'art', name: 'Art', parent: 'school' },
  ],
  userCategories: [{ code: 'student', name: 'Student' }],
  roles: [{ code: 'staff', name: 'Staff' }],
  users: [
    { account: 'lilei', name: 'Li Lei', organization: 'lab', category: 'student' },
    { account: 'wang', name: 'Wang', organization: 'art' },
    { account: 'chief', name: 'Chief', organization: 'cs', isSuperUser: true },
  ],
  applicationCategories: [{ code: 'study', name: 'Study' }],
  applications: [
    app('one', { category: 'study' }),
    app('two'),
    app('three'),
    app('closed', { enabled: false }),
    app('open', { type: 'whitelist' }),
  ],
}

const TABLES = [
  ['organizations', 'code'],
  ['user_categories', 'code'],
  ['roles', 'code'],
  ['users', 'account'],
  ['applications', 'app_id'],
  ['application_categories', 'code'],
] as const

/**
 * A school whose members (`lilei` in `lab` below `cs`, `wang` in `art`, the role `staff`, the category `student`) can be granted the
 * applications one, two, three and closed; calls are made by a super user unless told otherwise.
 */
export async function startGranting() {
  const server = await startTestServer()
  await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
  const { sql } = server.platform
  const ids: Record<string, string> = {}
  for (const [table, column] of TABLES) {
    for (const row of await sql`select id, ${sql(column)} as name from ${sql(table)}`) ids[row['name']] = row['id']
  }
  const id = (name: string): string => ids[name] ?? name
  let admin = await openPortal(server, { isSuperUser: true, account: 'root' })
  const call = <T>(path: string, body?: object, as?: Portal) => (as ?? admin).call<T>(path, body ? { body } : {})
  return {
    server,
    id,
    call,
    /** Sessions do not last as long as some grants. */
    async advance(days: number) {
      server.advance(days * 86_400)
      admin = await openPortal(server, { isSuperUser: true })
    },
    at: (days: number) => new Date(server.platform.now().getTime() + days * 86_400_000).toISOString(),
    clear: () => sql`delete from application_grants`,
    bind: (member: string, body: object, as?: Portal) =>
      call<GrantChange>('/application_grant/bind/', { memberId: id(member), ...body }, as),
    remove: (member: string, body: object, as?: Portal) =>
      call<GrantChange>('/application_grant/remove/', { memberId: id(member), ...body }, as),
    selectable: (member: string, search = '', as?: Portal) =>
      call<Selectable>(`/application_grant/selectable/?memberId=${id(member)}&search=${search}`, undefined, as),
    authorised: (member: string, query = '', as?: Portal) =>
      call<Page<MyApplication>>(
        `/user_information/${id(member)}/app/?memberId=${id(member)}&pageSize=10${query}`,
        undefined,
        as,
      ),
    why: (account: string, appId: string, as?: Portal) =>
      call<AccessReasons>(`/application_grant/why/?userId=${id(account)}&applicationId=${id(appId)}`, undefined, as),
    list: async (query = '', as?: Portal) =>
      (await call<Page<Grant>>(`/application_grant/query/?${query}`, undefined, as)).data,
  }
}

export type Granting = Awaited<ReturnType<typeof startGranting>>
