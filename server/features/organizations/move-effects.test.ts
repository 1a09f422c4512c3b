import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationDetails } from '#shared/contract/organizations.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
let editor: Portal
let granter: Portal
const ids = new Map<string, string>()
const id = (code: string) => ids.get(code) ?? ''
const inDays = (days: number) => new Date(server.platform.now().getTime() + days * 86_400_000).toISOString()

type Dates = { validFrom?: string; validUntil?: string }
async function grant(appId: string, code: string, dates: Dates = {}) {
  const given = await root.call('/application_grant/bind/', { body: { memberId: id(code), appIds: [appId], ...dates } })
  expect(given.status).toBe(200)
}

beforeAll(async () => {
  server = await startTestServer()
  const below = (parent: string, ...codes: string[]) =>
    codes.map((code) => ({ code, name: code.toUpperCase(), parent }))
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: 'School' },
        ...below('school', 'rich', 'poor', 'brief', 'staffed'),
        ...below('poor', 'team', 'empty', 'keeper', 'through'),
        ...below('through', 'under'),
        ...below('team', 'squad'),
      ],
      roles: [{ code: 'reader', name: 'Reader' }],
      users: [
        { account: 'p1', name: 'P1', organization: 'squad' },
        { account: 'p2', name: 'P2', organization: 'keeper' },
        { account: 'p3', name: 'P3', organization: 'under' },
      ],
    },
    { source: 'test' },
  )
  for (const row of await server.platform.sql<{ id: string; code: string }[]>`
    select id, code from organizations union all select id, code from roles`) {
    ids.set(row.code, row.id)
  }
  for (const appId of ['vault', 'library', 'press', 'wiki']) {
    await addCasApplication(server, {
      appId,
      name: appId.toUpperCase(),
      type: appId === 'wiki' ? 'whitelist' : 'system',
    })
  }
  root = await openPortal(server, { account: 'root', isSuperUser: true })
  editor = await openPortal(server, { account: 'editor', permissions: ['edit'], administers: id('school') })
  granter = await openPortal(server, {
    account: 'granter',
    permissions: ['edit', 'authorise'],
    administers: id('school'),
  })
  for (const code of ['rich', 'keeper']) await grant('vault', code)
  // Expired, in the future, and for longer than below the former parent.
  await grant('library', 'poor')
  await grant('press', 'poor', { validUntil: inDays(10) })
  await grant('press', 'brief', { validUntil: inDays(20) })
  await grant('library', 'brief', { validUntil: inDays(20) })
  await grant('vault', 'reader')
  await root.call(`/role/${id('reader')}/member/add/`, { body: { kind: 'organization', ids: [id('staffed')] } })
})
afterAll(() => server.close())

async function move(page: Portal, code: string, parent: string) {
  const { version } = (await root.call<OrganizationDetails>(`/organization/${id(code)}/details/`)).data
  return await page.call<unknown>(`/organization/${id(code)}/move/`, { body: { version, parentId: id(parent) } })
}

type Things = { names: string[]; total: number }
type Effects = { gains: Things; loses: Things; refusal: string | null }
const preview = async (page: Portal, code: string, parent: string) =>
  (await page.call<Effects>(`/organization/${id(code)}/move_affects/?parentId=${id(parent)}`)).data
const things = (...names: string[]): Things => ({ names, total: names.length })

test('a move by which people gain applications requires the permission to grant, and the error names them', async () => {
  expect(await preview(editor, 'team', 'rich')).toEqual({
    gains: things('VAULT'),
    loses: things('LIBRARY', 'PRESS'),
    refusal: 'organization.gains',
  })
  const refused = await move(editor, 'team', 'rich')
  expect([refused.status, refused.envelope.code]).toEqual([403, 'organization.gains'])
  expect(refused.envelope.message).toMatch(/“RICH”.*“TEAM”.*VAULT.*Grant applications/)
  expect(await preview(granter, 'team', 'rich')).toMatchObject({ refusal: null })
  expect((await move(granter, 'team', 'rich')).status).toBe(200)
  // Moving away, people only lose grants, or regain expired ones.
  expect(await preview(editor, 'team', 'school')).toEqual({ gains: things(), loses: things('VAULT'), refusal: null })
  expect((await move(editor, 'team', 'school')).status).toBe(200)
  expect((await move(root, 'team', 'poor')).status).toBe(200)
})

test('access that people already have, or would not have for longer, is no gain; a longer period and a role are', async () => {
  expect(await preview(editor, 'keeper', 'rich')).toEqual({
    gains: things(),
    loses: things('LIBRARY', 'PRESS'),
    refusal: null,
  })
  expect(await preview(editor, 'team', 'brief')).toEqual({
    gains: things('PRESS'),
    loses: things('LIBRARY'),
    refusal: 'organization.gains',
  })
  expect((await move(editor, 'team', 'brief')).envelope.code).toBe('organization.gains')
  expect((await preview(editor, 'team', 'staffed')).gains).toEqual(things('Reader', 'VAULT'))
  expect((await move(editor, 'team', 'staffed')).envelope.code).toBe('organization.gains')
})

test('an organisation without people can be moved anywhere, and handing over children is checked in the same way', async () => {
  expect(await preview(editor, 'empty', 'rich')).toMatchObject({ gains: things('VAULT'), refusal: null })
  expect((await move(editor, 'empty', 'rich')).status).toBe(200)
  const end = (page: Portal) =>
    page.call(`/organization/${id('through')}/delete/`, { body: { version: 1, childrenTo: id('rich') } })
  expect((await end(editor)).envelope.code).toBe('organization.gains')
  expect((await end(granter)).status).toBe(200)
})

test('nothing is revealed about what a place outside the scope would grant', async () => {
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: id('poor') })
  const outside = await dean.call(`/organization/${id('team')}/move_affects/?parentId=${id('rich')}`)
  const nowhere = await dean.call(`/organization/${id('team')}/move_affects/?parentId=${dean.user.userId}`)
  expect([outside.status, outside.envelope.code]).toEqual([404, 'organization.not-found'])
  expect({ ...outside.envelope, requestId: '' }).toEqual({ ...nowhere.envelope, requestId: '' })
  expect((await dean.call(`/organization/${id('team')}/move_affects/`)).envelope.code).toBe('organization.outside')
})
