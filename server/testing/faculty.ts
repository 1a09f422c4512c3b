import type { OrganizationDetails } from '#shared/contract/organizations.ts'
import { applyBootstrap } from '../features/bootstrap/index.ts'
import type { Portal } from './portal.ts'
import type { TestServer } from './server.ts'

export const PEOPLE = 2200
export const STEP = 500

/** A faculty with an old department of many people, one of them deleted, and a new one. */
export async function faculty(server: TestServer, people = PEOPLE) {
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'faculty', name: 'Faculty' },
        { code: 'old', name: 'Old department', parent: 'faculty' },
        { code: 'new', name: 'New department', parent: 'faculty' },
        { code: 'section', name: 'Section', parent: 'old' },
        { code: 'other', name: 'Other department', parent: 'faculty' },
      ],
      users: [{ account: 'guest', name: 'Guest', organization: 'other' }],
    },
    { source: 'test' },
  )
  const { sql } = server.platform
  const rows = await sql<{ id: string; code: string }[]>`select id, code from organizations`
  const ids = new Map(rows.map(({ id, code }) => [code, id]))
  const id = (code: string) => ids.get(code) ?? ''
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at, deleted_at)
    select gen_random_uuid(), 'p' || n, 'Person ' || n, ${id('old')}, now(), now(), case when n = 1 then now() end
    from generate_series(1, ${people}) n`
  // One is already a secondary member of the new department, one of another department a secondary member of the old.
  await sql`insert into user_organizations (user_id, organization_id) select id, ${id('new')} from users where account = 'p2'`
  await sql`insert into user_organizations (user_id, organization_id) select id, ${id('old')} from users where account = 'guest'`
  const left = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from users where organization_id = ${id('old')}`)[0]
      ?.count ?? 0
  return { id, left }
}

export type Faculty = Awaited<ReturnType<typeof faculty>>

export const change = <T = OrganizationDetails & { taskId: string | null }>(
  page: Portal,
  id: string,
  verb: string,
  body: object,
) => page.call<T>(`/organization/${id}/${verb}/`, { body })
export const merge = async (page: Portal, { id }: Faculty, version = 1) =>
  (await change(page, id('old'), 'merge', { version, into: id('new') })).data.taskId ?? ''
export const details = async (page: Portal, id: string) =>
  (await page.call<OrganizationDetails>(`/organization/${id}/details/`)).data
