import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gains, startGains } from '../../testing/gains.ts'
import { hold, lockWaits } from '../../testing/lock-waits.ts'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { taskEnd } from '../../testing/tasks.ts'

let school: Gains
beforeAll(async () => {
  school = await startGains()
})
afterAll(() => school.close())

const refusalOf = ({ status, envelope }: Reply) => [status, envelope.code]

async function place(): Promise<string> {
  const code = `o${school.next()}`
  const body = { parentId: school.id('poor'), code, name: code }
  return (await school.root.call<{ id: string }>('/organization/create/', { body })).data.id
}

const PEOPLE = {
  'people in it': (organizationId: string) => ({ organizationId }),
  'people who belong to it beside': (one: string) => ({ secondaryOrganizationIds: [one] }),
}

test.each([
  ['move', 'parentId', 'people in it'],
  ['move', 'parentId', 'people who belong to it beside'],
  ['merge', 'into', 'people in it'],
  ['merge', 'into', 'people who belong to it beside'],
  ['delete', 'peopleTo', 'people in it'],
] as const)('%s of an organisation (%s) gives %s nothing that the caller may not grant', async (name, to, who) => {
  const own = await place()
  await school.somebody(PEOPLE[who](own))
  const act = (page: Portal) =>
    page.call(`/organization/${own}/${name}/`, { body: { version: 1, [to]: school.id('rich') } })
  const refused = await school.nothingGained(name, () => act(school.editor))
  expect(refusalOf(refused)).toEqual([403, 'organization.gains'])
  expect(refused.envelope.message).toContain('VAULT')
  expect((await act(school.granter)).status).toBe(200)
})

test('a person assigned to an organisation while it is moved to applications does not gain them unnoticed', async () => {
  const empty = await place()
  const { sql } = school.server.platform
  const { reached, release } = await hold(
    sql,
    (lock) => lock`lock table audit_records in share mode`,
    '%audit_records%',
  )
  const body = { account: `new-${school.next()}`, name: 'New', organizationId: empty }
  const created = school.editor.call('/user_information/create/', { body })
  await reached()
  const moved = school.editor.call(`/organization/${empty}/move/`, {
    body: { version: 1, parentId: school.id('rich') },
  })
  await until(async () => (await lockWaits(sql)) >= 2, 20_000)
  await release()
  expect((await created).status).toBe(200)
  expect(refusalOf(await moved)).toEqual([403, 'organization.gains'])
})

/** More people than one call moves, who belong to `poor` with another secondary department, or to `poor` alone. */
async function crowdIn(organizationId: string, isBeside: boolean): Promise<void> {
  const { sql } = school.server.platform
  await sql`
    with made as (
      insert into users (id, account, name, organization_id, created_at, updated_at)
      select gen_random_uuid(), ${`crowd${school.next()}`} || '-' || n, 'N', ${isBeside ? school.id('poor') : organizationId}, now(), now()
      from generate_series(1, 1001) n returning id)
    insert into user_organizations (user_id, organization_id) select id, ${organizationId} from made where ${isBeside}`
}

const end = async (page: Portal, id: string, verb: 'delete' | 'merge', where: object) =>
  (await page.call<{ taskId: string }>(`/organization/${id}/${verb}/`, { body: { version: 1, ...where } })).data.taskId

test('an organisation that is being filled step by step can not be moved to applications as if it were empty', async () => {
  const [from, to] = [await place(), await place()]
  await crowdIn(from, false)
  const { server, editor } = school
  const { sql } = server.platform
  const { reached, release } = await hold(
    sql,
    (lock) => lock`select from users where organization_id = ${from} for update`,
    '%for no key update%',
  )
  const task = await end(editor, from, 'delete', { peopleTo: to })
  await reached()
  const moved = editor.call(`/organization/${to}/move/`, { body: { version: 1, parentId: school.id('rich') } })
  await Promise.race([moved, until(async () => (await lockWaits(sql)) >= 2, 20_000)])
  await release()
  expect(refusalOf(await moved)).toEqual([403, 'organization.gains'])
  expect(await taskEnd(server, task)).toMatchObject({ state: 'done' })
})

test('an importer who loses the permission to grant during a merge moves no further secondary members', async () => {
  const from = await place()
  await crowdIn(from, true)
  const { server } = school
  const { sql } = server.platform
  const page = await openPortal(server, { permissions: ['edit', 'authorise'], administers: school.id('school') })
  const { reached, release } = await hold(
    sql,
    (lock) => lock`select from user_organizations where organization_id = ${from} for update`,
    '%delete from user_organizations%',
  )
  const task = await end(page, from, 'merge', { into: school.id('rich') })
  await reached()
  await sql`update appointments set permissions = '{edit}' where user_id = ${page.user.userId}`
  await release()
  expect(await taskEnd(server, task)).toMatchObject({ state: 'failed', error: 'organization.gains' })
  expect(await sql`select from user_organizations where organization_id = ${from}`).toHaveLength(501)
})
