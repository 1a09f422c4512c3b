import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { OrganizationDetails } from '#shared/contract/organizations.ts'
import { insertAppointment, openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
let round = 0
let ids: Map<string, string>
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

const id = (code: string) => ids.get(code) ?? ''
const sql = () => server.platform.sql

/** Two departments of one faculty, the first with everything that an organisation can have. */
beforeEach(async () => {
  round += 1
  const code = (name: string) => `${name}-${round}`
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: code('faculty'), name: 'Faculty' },
        { code: code('old'), name: 'Old department', parent: code('faculty') },
        { code: code('new'), name: 'New department', parent: code('faculty') },
        { code: code('section'), name: 'Section', parent: code('old') },
        { code: code('office'), name: 'Office', parent: code('new') },
      ],
      roles: [{ code: code('readers'), name: 'Readers' }],
      users: [
        { account: code('ann'), name: 'Ann', organization: code('old') },
        { account: code('bob'), name: 'Bob', organization: code('section') },
        { account: code('cid'), name: 'Cid', organization: code('new') },
        { account: code('dan'), name: 'Dan', organization: code('old') },
      ],
      applications: ['journals', 'archive'].map((appId) => ({
        appId: code(appId),
        name: appId,
        protocol: 'cas' as const,
        authorized: { organizations: [code('old'), ...(appId === 'archive' ? [code('new')] : [])] },
      })),
    },
    { source: 'test' },
  )
  const rows = await sql()<{ id: string; key: string }[]>`
    select id, code as key from organizations union all select id, account from users
    union all select id, app_id from applications union all select id, code from roles`
  ids = new Map(
    rows.filter(({ key }) => key.endsWith(`-${round}`)).map((row) => [row.key.replace(/-\d+$/, ''), row.id]),
  )
  await sql()`insert into user_organizations (user_id, organization_id) values (${id('cid')}, ${id('old')}), (${id('bob')}, ${id('old')})`
  await sql()`insert into role_member_groups (role_id, kind, subject_id) values (${id('readers')}, 'organization', ${id('old')})`
  await sql()`update users set deleted_at = now() where id = ${id('dan')}`
  await insertAppointment(server, id('bob'), { permissions: ['edit'], administers: id('old') })
})

const change = (page: Portal, one: string, verb: string, body: object) =>
  page.call<OrganizationDetails>(`/organization/${one}/${verb}/`, { body })
const people = async (code: string) =>
  (await root.call<OrganizationDetails>(`/organization/${id(code)}/details/`)).data.people
const organizationOf = async (account: string) =>
  (await sql()<{ at: string }[]>`select organization_id as at from users where id = ${id(account)}`)[0]?.at

test('the effects of an ending are shown before', async () => {
  const { data } = await root.call<OrganizationEffects>(`/organization/${id('old')}/affects/`)
  expect(data).toEqual({
    people: 1,
    peopleBelow: 1,
    children: 1,
    descendants: 1,
    secondaryMembers: 2,
    roles: 1,
    grants: 2,
    applications: ['journals', 'archive'],
    appointments: 1,
  })
})

test('a merge hands everything over to the target, and every count stays right', async () => {
  const total = await people('faculty')
  const merged = await change(root, id('old'), 'merge', { version: 1, into: id('new') })
  expect(merged.data).toMatchObject({ code: `new-${round}`, people: { direct: 2, all: 3 }, children: 2 })
  expect(await people('faculty')).toEqual(total)
  expect([await organizationOf('ann'), await organizationOf('dan')]).toEqual([id('new'), id('new')])
  expect((await root.call(`/organization/${id('old')}/details/`)).status).toBe(404)
  const beside = await sql()`select user_id from user_organizations where organization_id = ${id('new')}`
  expect(beside.map((row) => row['userId'])).toEqual([id('bob')])
  const grants = await sql()`select application_id from application_grants where subject_id = ${id('new')}`
  expect(grants).toHaveLength(2)
  expect(await sql()`select from application_grants where subject_id = ${id('old')}`).toHaveLength(0)
  expect(await sql()`select from role_member_groups where subject_id = ${id('new')}`).toHaveLength(1)
  expect(
    await sql()`select from appointments where user_id = ${id('bob')} and organization_id = ${id('new')}`,
  ).toHaveLength(1)
  const [gone] =
    await sql()`select before, after from audit_records where target_id = ${id('old')} and action = 'organization.merge'`
  expect(gone).toMatchObject({
    before: { name: 'Old department', parentId: id('faculty') },
    after: {
      into: { id: id('new') },
      people: 1,
      children: 1,
      grants: 2,
      roles: 1,
      appointments: 1,
      secondaryMembers: 2,
    },
  })
  const [line] =
    await sql()`select before, after from audit_records where user_id = ${id('ann')} and action = 'account.update'`
  expect(line).toMatchObject({ before: { organization: `old-${round}` }, after: { organization: `new-${round}` } })
  const [child] = await sql()`select before, after from audit_records
    where target_id = ${id('section')} and action = 'organization.move'`
  expect(child).toMatchObject({ before: { parentId: id('old') }, after: { parentId: id('new') } })
})

test('an organisation with people or children is deleted only if they have a place to go', async () => {
  const bare = await change(root, id('old'), 'delete', { version: 1 })
  expect([bare.status, bare.envelope.code]).toEqual([409, 'organization.not-empty'])
  expect(bare.data).toMatchObject({ effects: { people: 1, children: 1 } })
  const half = await change(root, id('old'), 'delete', { version: 1, peopleTo: id('new') })
  expect(half.envelope.code).toBe('organization.not-empty')
  expect(await organizationOf('ann')).toBe(id('old'))
  const circle = await change(root, id('old'), 'delete', { version: 1, peopleTo: id('new'), childrenTo: id('section') })
  expect(circle.envelope.code).toBe('organization.below-itself')
  expect((await change(root, id('old'), 'delete', { version: 2, peopleTo: id('new') })).envelope.code).toBe(
    'version.conflict',
  )
  const gone = await change(root, id('old'), 'delete', {
    version: 1,
    peopleTo: id('section'),
    childrenTo: id('faculty'),
  })
  expect(gone.status).toBe(200)
  expect(await organizationOf('ann')).toBe(id('section'))
  expect(await people('section')).toEqual({ direct: 2, all: 2 })
  expect(await people('faculty')).toEqual({ direct: 0, all: 3 })
  expect(await sql()`select from application_grants where subject_id = ${id('old')}`).toHaveLength(0)
})

test('deleted people do not keep an organisation alive; they move to its parent', async () => {
  await sql()`update users set organization_id = ${id('new')} where id = ${id('ann')}`
  await change(root, id('section'), 'move', { version: 1, parentId: id('new') })
  expect((await change(root, id('old'), 'delete', { version: 1 })).status).toBe(200)
  expect(await organizationOf('dan')).toBe(id('faculty'))
})

test('a scoped administrator merges and deletes only if nobody gains permissions, and moves nobody of higher rank', async () => {
  const page = await openPortal(server, { permissions: ['edit'], administers: id('faculty') })
  const rights = await change(page, id('old'), 'merge', { version: 1, into: id('new') })
  expect([rights.status, rights.envelope.code]).toEqual([403, 'organization.super-user-only'])
  const others = await change(page, id('old'), 'delete', { version: 1, peopleTo: id('new'), childrenTo: id('new') })
  expect([others.status, others.envelope.code]).toEqual([403, 'organization.super-user-only'])
  expect(await sql()`select from appointments where organization_id = ${id('old')}`).toHaveLength(1)
  await sql()`update users set is_super_user = true where id = ${id('cid')}`
  const rank = await change(page, id('new'), 'delete', { version: 1, peopleTo: id('old'), childrenTo: id('old') })
  expect([rank.status, rank.envelope.code]).toEqual([403, 'organization.super-user-only'])
  expect(await organizationOf('cid')).toBe(id('new'))
  await sql()`update users set is_super_user = false where id = ${id('cid')}`
  const fine = await change(page, id('office'), 'merge', { version: 1, into: id('section') })
  expect(fine.status).toBe(200)
})
