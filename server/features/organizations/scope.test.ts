import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { OrganizationDetails, OrganizationFound, OrganizationNode } from '#shared/contract/organizations.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let looker: Portal
let editor: Portal
const ids = new Map<string, string>()
const id = (code: string) => ids.get(code) ?? ''

beforeAll(async () => {
  server = await startTestServer()
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: 'School' },
        { code: 'science', name: 'Science', parent: 'school' },
        { code: 'physics', name: 'Physics', parent: 'science' },
        { code: 'optics', name: 'Optics', parent: 'physics' },
        { code: 'arts', name: 'Arts', parent: 'school' },
      ],
      users: [
        { account: 'p1', name: 'P1', organization: 'optics' },
        { account: 'p2', name: 'P2', organization: 'arts' },
        { account: 'p3', name: 'P3', organization: 'school' },
      ],
    },
    { source: 'test' },
  )
  for (const row of await server.platform.sql<{ id: string; code: string }[]>`select id, code from organizations`) {
    ids.set(row.code, row.id)
  }
  looker = await openPortal(server, { permissions: [], administers: id('physics') })
  editor = await openPortal(server, { permissions: ['edit'], administers: id('science') })
})
afterAll(() => server.close())

type Listing<Row> = { records: Row[]; total: number }
const tops = async (page: Portal) => (await page.call<Listing<OrganizationNode>>('/organization/children/')).data
const change = (page: Portal, code: string, verb: string, body: object) =>
  page.call<OrganizationDetails>(`/organization/${id(code)}/${verb}/`, { body })

test('the tree of an administrator begins at their organisations: nothing above is named, counted or found', async () => {
  const { records, total } = await tops(looker)
  expect(records.map(({ code, parentId, people, may }) => [code, parentId, people, may])).toEqual([
    ['physics', null, 1, { change: false, hold: false, move: false }],
  ])
  expect(total).toBe(1)
  const { data } = await looker.call<Listing<OrganizationFound>>('/organization/search/?search=s')
  expect(data.records.map(({ code, path }) => [code, path])).toEqual(
    [
      ['optics', [{ id: id('physics'), name: 'Physics' }]],
      ['physics', []],
    ].toSorted((a, b) => (a[0] === 'physics' ? -1 : b[0] === 'physics' ? 1 : 0)),
  )
  const { data: path } = await looker.call<{ nodes: OrganizationNode[] }>(`/organization/${id('optics')}/path/`)
  expect(path.nodes.map(({ code, parentId }) => [code, parentId])).toEqual([
    ['physics', null],
    ['optics', id('physics')],
  ])
})

test('what is outside the scope is answered exactly like what does not exist', async () => {
  for (const call of ['details', 'path', 'affects']) {
    const outside = await looker.call(`/organization/${id('science')}/${call}/`)
    const nowhere = await looker.call(`/organization/${looker.user.userId}/${call}/`)
    expect([call, outside.status, outside.envelope.code]).toEqual([call, 404, 'organization.not-found'])
    expect({ ...outside.envelope, requestId: '' }).toEqual({ ...nowhere.envelope, requestId: '' })
  }
  const below = await looker.call(`/organization/children/?parentId=${id('school')}`)
  expect(below.envelope.code).toBe('organization.not-found')
  const behind = await looker.call(`/organization/children/?parentId=${id('physics')}&after=${id('arts')}`)
  expect(behind.envelope.code).toBe('organization.not-found')
})

test('an editor works strictly below the tops of their scope', async () => {
  const { version } = (await editor.call<OrganizationDetails>(`/organization/${id('science')}/details/`)).data
  for (const [verb, body] of [
    ['update', { name: 'Mine' }],
    ['move', { parentId: id('optics') }],
    ['delete', {}],
    ['merge', { into: id('physics') }],
  ] as const) {
    const refused = await change(editor, 'science', verb, { version, ...body })
    expect([verb, refused.status, refused.envelope.code]).toEqual([verb, 403, 'organization.outside'])
  }
  const made = await editor.call<OrganizationDetails>('/organization/create/', {
    body: { code: 'new', name: 'New', parentId: id('science') },
  })
  expect(made.data.path).toEqual([{ id: id('science'), name: 'Science' }])
  expect((await change(editor, 'physics', 'update', { version: 1, name: 'Physics!' })).status).toBe(200)
})

test('nothing can be moved out of the scope or created outside it', async () => {
  for (const parentId of [null, id('school'), id('arts')]) {
    const code = parentId === null ? 'organization.outside' : 'organization.not-found'
    const made = await editor.call('/organization/create/', { body: { code: 'out', name: 'Out', parentId } })
    expect([parentId, made.envelope.code]).toEqual([parentId, code])
    const moved = await change(editor, 'optics', 'move', { version: 1, parentId })
    expect([parentId, moved.envelope.code]).toEqual([parentId, code])
  }
  const merged = await change(editor, 'optics', 'merge', { version: 1, into: id('arts') })
  expect(merged.envelope.code).toBe('organization.not-found')
  const gone = await change(editor, 'optics', 'delete', { version: 1, peopleTo: id('arts') })
  expect(gone.envelope.code).toBe('organization.not-found')
  const looked = await change(looker, 'optics', 'update', { version: 1, name: 'X' })
  expect([looked.status, looked.envelope.code]).toEqual([403, 'permission.denied'])
})

test('two scopes, one inside the other, show one top; two apart show both', async () => {
  const page = await openPortal(server, { permissions: ['unlock'], administers: id('science') })
  const more = await openPortal(server, { userId: page.user.userId, permissions: ['edit'], administers: id('physics') })
  expect((await tops(more)).records.map(({ code }) => code)).toEqual(['science'])
  const refused = await more.call('/organization/create/', { body: { code: 'x', name: 'X', parentId: id('science') } })
  expect(refused.envelope.code).toBe('organization.outside')
  expect((await change(more, 'physics', 'update', { version: 2, name: 'Y' })).envelope.code).toBe(
    'organization.outside',
  )
  const apart = await openPortal(server, { userId: page.user.userId, permissions: [], administers: id('arts') })
  expect((await tops(apart)).records.map(({ code }) => code)).toEqual(['science', 'arts'])
})

test('a secondary member of my organisation whose department is elsewhere is not counted for me', async () => {
  const root = await openPortal(server, { isSuperUser: true })
  await server.platform.sql`
    insert into user_organizations (user_id, organization_id)
    select u.id, o.id from users u, organizations o
    where o.code = 'physics' and u.account in ('p1', 'p2', 'p3') or o.code = 'optics' and u.account in ('p2', 'p3')`
  const beside = async (page: Portal, code: string) =>
    (await page.call<OrganizationEffects>(`/organization/${id(code)}/affects/`)).data.secondaryMembers
  for (const page of [editor, looker])
    expect([await beside(page, 'physics'), await beside(page, 'optics')]).toEqual([1, 0])
  expect([await beside(root, 'physics'), await beside(root, 'optics')]).toEqual([3, 2])
  const { version } = (await root.call<OrganizationDetails>(`/organization/${id('optics')}/details/`)).data
  const refused = await editor.call<{ effects: OrganizationEffects }>(`/organization/${id('optics')}/delete/`, {
    body: { version },
  })
  expect([refused.envelope.code, refused.data.effects.secondaryMembers]).toEqual(['organization.not-empty', 0])
})
