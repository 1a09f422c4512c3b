import type { RoleDetails } from '#shared/contract/roles.ts'
import { hold } from './lock-waits.ts'
import type { Portal } from './portal.ts'
import type { TestServer } from './server.ts'

export const PEOPLE = 2600
export const STEP = 1000

/** A role with many members, of whom 300 are called Ann. */
export async function crowd(server: TestServer, page: Portal) {
  const { sql } = server.platform
  const role = await page.call<{ id: string }>('/role/create/', { body: { code: 'crowd', name: 'Crowd' } })
  const { id } = role.data
  await sql`
    insert into users (id, account, name, created_at, updated_at)
    select gen_random_uuid(), 'm' || n, case when n <= 300 then 'Ann' else 'Bob' end, now(), now()
    from generate_series(1, ${PEOPLE}) n`
  await sql`insert into role_members (role_id, user_id) select ${id}, id from users where account ~ '^m[0-9]'`
  const people = async () => (await page.call<RoleDetails>(`/role/${id}/details/`)).data.people
  const remove = (search: string, expected: number) =>
    page.call<{ changed: number; taskId: string | null }>(`/role/${id}/member/remove/`, {
      body: { kind: 'user', selection: { all: { search }, expected } },
    })
  return { id, people, remove }
}

/** The second batch waits for one of its people until it is released. */
export const holdSecondBatch = ({ platform }: TestServer, roleId: string) =>
  hold(
    platform.sql,
    (sql) => sql`
      select from role_members where role_id = ${roleId} and user_id = (
        select user_id from role_members where role_id = ${roleId} order by user_id limit 1 offset ${STEP + 10})
      for update`,
    '%delete from role_members%',
  )
