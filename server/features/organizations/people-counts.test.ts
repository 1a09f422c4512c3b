import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { countAllPeople, countPeopleWithin, foldPeopleCounts, recountPeople } from './index.ts'

async function school(server: TestServer) {
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'a', name: 'A' },
        { code: 'b', name: 'B', parent: 'a' },
      ],
      userCategories: [{ code: 'student', name: 'Student' }],
    },
    { source: 'test' },
  )
  const { sql } = server.platform
  const rows = await sql<{ code: string; id: string }[]>`select code, id from organizations`
  return Object.fromEntries(rows.map(({ code, id }) => [code, id])) as { a: string; b: string }
}

const insertMany = (server: TestServer, count: number, organizationId: string | null) =>
  server.platform.sql`
    insert into users (id, account, name, organization_id, category_id, created_at, updated_at)
    select gen_random_uuid(), ${v7()} || n, 'x', ${organizationId}, (select id from user_categories), now(), now()
    from generate_series(1, ${count}::int) n`

/** The stored numbers, and the actual ones. */
async function bothSums(server: TestServer) {
  const { sql } = server.platform
  const kept = await sql<{ kind: string; id: string; people: number }[]>`
    select kind, id, sum(people)::int as people from (
      select kind, id, people from people_counts union all select kind, id, people from people_count_changes) k
    group by kind, id having sum(people) <> 0 order by kind, id`
  const counted = await sql<{ kind: string; id: string; people: number }[]>`
    select k.kind, coalesce(k.id, '00000000-0000-0000-0000-000000000000') as id, count(*)::int as people
    from users u cross join lateral (values ('organization', u.organization_id), ('category', u.category_id),
      ('personnel-type', u.personnel_type_id)) k (kind, id)
    where u.deleted_at is null group by 1, 2 order by 1, 2`
  return { kept: [...kept], counted: [...counted] }
}

test('the counts of people stay right whatever is done to them, folded or not, by several at once', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const { a, b } = await school(server)
  await Promise.all([insertMany(server, 300, a), insertMany(server, 200, b), insertMany(server, 50, null)])
  await Promise.all([
    sql`update users set organization_id = ${b} where id in (select id from users where organization_id = ${a} limit 100)`,
    foldPeopleCounts(server.platform),
    sql`update users set category_id = null where id in (select id from users where organization_id is null limit 30)`,
    foldPeopleCounts(server.platform),
    insertMany(server, 10, b),
  ])
  await sql`update users set deleted_at = now() where id in (select id from users where organization_id = ${b} limit 20)`
  await sql`update users set deleted_at = null, organization_id = ${a} where id in (select id from users where deleted_at is not null limit 5)`
  await sql`delete from users where id in (select id from users where deleted_at is null and organization_id = ${a} limit 7)`
  await sql`update users set last_login_at = now()`
  const before = await bothSums(server)
  expect(before.kept).toEqual(before.counted)
  await foldPeopleCounts(server.platform)
  expect(await sql`select from people_count_changes`).toHaveLength(0)
  expect((await bothSums(server)).kept).toEqual(before.counted)
  expect(await countAllPeople(sql)).toBe(560 - 20 + 5 - 7)
  const inB = before.counted.find(({ id }) => id === b)?.people ?? 0
  expect(await countPeopleWithin(sql, b)).toBe(inB)
  expect(await countPeopleWithin(sql, a)).toBe(560 - 20 + 5 - 7 - 50)
})

test('recounting repairs wrong counts, also while changes wait to be folded', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const { a, b } = await school(server)
  await insertMany(server, 20, a)
  await foldPeopleCounts(server.platform)
  await insertMany(server, 5, b)
  await sql`update people_counts set people = people + 3`
  await sql`insert into people_counts values ('organization', ${v7()}, 9)`
  await recountPeople(server.platform)
  const { kept, counted } = await bothSums(server)
  expect(kept).toEqual(counted)
  await foldPeopleCounts(server.platform)
  expect((await bothSums(server)).kept).toEqual(counted)
})
