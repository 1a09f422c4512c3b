import { expect, test } from 'vitest'
import type { OrganizationDetails } from '#shared/contract/organizations.ts'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { insertAppointment, openPortal } from '../../testing/portal.ts'
import { details, PEOPLE, school, verb } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { batchChangeTask } from './index.ts'

const MORE_PERMISSIONS = expect.stringMatching('You have more permissions there|权限更大')
const FORMER = expect.stringMatching('deleted|已删除')

/** A dean who may edit in Computing, and in Art also reset. */
async function twoDepartments() {
  const server = await testServer()
  const { organizationId, id } = await school(server)
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: organizationId('cs') })
  await insertAppointment(server, dean.user.userId, {
    permissions: ['edit', 'reset'],
    administers: organizationId('art'),
  })
  return { server, root, dean, organizationId, id }
}

test('nobody can move people to an organisation where they have more permissions over them', async () => {
  const { dean, root, organizationId, id } = await twoDepartments()
  const move = async (account: string, to: string, page = dean) => {
    const { version } = (await details(root, id(account))).data
    const body = { version, organizationId: organizationId(to) }
    return await page.call(`${PEOPLE}/${id(account)}/update/`, { body })
  }
  const refused = await move('20260002', 'art')
  expect(refused.status).toBe(400)
  expect(refused.envelope.data).toMatchObject({ fields: [{ field: 'organizationId', reason: MORE_PERMISSIONS }] })
  const selection = { ids: [id('20260002')] }
  const many = { body: { selection, fields: { organizationId: organizationId('art') } } }
  const { data } = await dean.call<BatchAnswer>(`${PEOPLE}/batch_update/`, many)
  expect(data).toMatchObject({ changed: 0, refused: [{ code: 'request.invalid', message: MORE_PERMISSIONS }] })
  expect((await move('20260003', 'cs')).status).toBe(200)
  expect((await move('20260002', 'art', root)).status).toBe(200)
})

test('nor a department with its people', async () => {
  const { server, dean, root, organizationId } = await twoDepartments()
  const create = (parent: string, code: string) =>
    root.call<{ id: string }>('/organization/create/', { body: { parentId: organizationId(parent), code, name: code } })
  const [lab, studio] = [(await create('cs', 'lab')).data.id, (await create('art', 'studio')).data.id]
  const move = async (moved: string, parentId: string) => {
    const { version } = (await root.call<OrganizationDetails>(`/organization/${moved}/details/`)).data
    return await dean.call(`/organization/${moved}/move/`, { body: { version, parentId } })
  }
  const refused = await move(lab, organizationId('art'))
  expect([refused.status, refused.envelope.code]).toEqual([403, 'organization.more-permissions'])
  // The dialog says so before anybody tries.
  const preview = await dean.call<unknown>(`/organization/${lab}/move_affects/?parentId=${organizationId('art')}`)
  expect(preview.data).toMatchObject({ refusal: 'organization.more-permissions' })
  expect((await move(studio, organizationId('cs'))).status).toBe(200)
  const [row] = await server.platform.sql`select parent_id from organizations where id = ${lab}`
  expect(row?.['parentId']).toBe(organizationId('cs'))
})

test('nor the people of a department that ends', async () => {
  const { dean, root, organizationId, id } = await twoDepartments()
  const lab = (
    await root.call<{ id: string }>('/organization/create/', {
      body: { parentId: organizationId('cs'), code: 'lab', name: 'Lab' },
    })
  ).data.id
  const { version } = (await details(root, id('20260002'))).data
  await root.call(`${PEOPLE}/${id('20260002')}/update/`, { body: { version, organizationId: lab } })
  const end = (peopleTo: string) => dean.call(`/organization/${lab}/delete/`, { body: { version: 1, peopleTo } })
  expect((await end(organizationId('art'))).envelope.code).toBe('organization.more-permissions')
  expect((await end(organizationId('cs'))).status).toBe(200)
})

test('only a super user may give the account of a deleted former user to somebody else', async () => {
  const { server, root, dean, organizationId, id } = await twoDepartments()
  await server.platform.sql`update users set last_login_at = now() where account = 'T-100'`
  expect((await verb(root, id('T-100'), 'delete')).status).toBe(200)
  const create = (page = dean) =>
    page.call(`${PEOPLE}/create/`, { body: { account: 'T-100', name: 'Else', organizationId: organizationId('cs') } })
  expect((await create()).envelope.data).toMatchObject({ fields: [{ field: 'account', reason: FORMER }] })
  expect((await create(root)).status).toBe(200)
})

test('a person who matches the filters only after a bulk change was confirmed is left alone', async () => {
  const { server, dean, organizationId } = await twoDepartments()
  const { sql, now } = server.platform
  const add = (name: string, code: string, count: number) => sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), ${name} || n, 'N', ${organizationId(code)}, ${now()}, ${now()} from generate_series(1, ${count}::int) n`
  await add('n', 'cs', 1100)
  const selection = { all: { search: 'n' }, expected: 1100 }
  const { data } = await dean.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body: { selection, verb: 'disable' } })
  await add('new', 'cs', 5)
  await runTasks(server, [batchChangeTask])
  expect(await taskEnd(server, data.taskId ?? '')).toMatchObject({ state: 'done', result: { changed: 1100 } })
})
