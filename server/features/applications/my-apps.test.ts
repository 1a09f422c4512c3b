import { expect, test } from 'vitest'
import type { MyApplication } from '#shared/contract/applications.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const entry = (appId: string, name: string, more: object = {}) => ({
  appId,
  name,
  protocol: 'cas' as const,
  url: `https://${appId}.test/`,
  serviceUrls: [`https://${appId}.test/**`],
  ...more,
})

async function school() {
  const server = await testServer()
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: 'School' },
        { code: 'cs', name: 'CS', parent: 'school' },
      ],
      users: [{ account: 'lilei', name: 'Li Lei', organization: 'cs' }],
      applications: [
        entry('library', '图书馆', { type: 'whitelist' }),
        entry('mail', 'Mail 100%', { type: 'system', authorized: { organizations: ['school'] } }),
        entry('lab', 'Lab', { type: 'system', authorized: { users: [] } }),
      ],
    },
    { source: 'test' },
  )
  const [row] = await server.platform.sql<{ id: string }[]>`select id from users where account = 'lilei'`
  return { server, portal: await openPortal(server, { userId: row?.id ?? '' }) }
}

type Page = { records: MyApplication[]; total: number }

const listOf = (portal: Awaited<ReturnType<typeof openPortal>>, search = '') =>
  portal.call<Page>(`/user_information/${portal.user.userId}/app/?pageSize=100&search=${encodeURIComponent(search)}`)

const ids = ({ data }: { data: Page }) => data.records.map(({ appId }) => appId).sort()

const disable = (server: TestServer, appId: string) =>
  server.platform.sql`update applications set enabled = false where app_id = ${appId}`

test('a person sees what everyone may open and what was granted to them, not the rest, not the portal itself', async () => {
  const { portal } = await school()
  const list = await listOf(portal)
  expect(ids(list)).toEqual(['library', 'mail'])
  expect(list.envelope.total).toBe(2)
  expect(list.data.records[0]).toMatchObject({ state: 1, visitedAt: null })
})

test('a disabled application disappears from the list', async () => {
  const { server, portal } = await school()
  await disable(server, 'library')
  expect(ids(await listOf(portal))).toEqual(['mail'])
})

test('search finds by name, pinyin and initials, and takes % for a per cent sign', async () => {
  const { portal } = await school()
  for (const search of ['图书', 'tushuguan', 'TSG'])
    expect(ids(await listOf(portal, search)), search).toEqual(['library'])
  expect(ids(await listOf(portal, '%'))).toEqual(['mail'])
  expect(ids(await listOf(portal, '_'))).toEqual([])
})

test('search does not match names in other languages', async () => {
  const { server, portal } = await school()
  await applyBootstrap(
    server.platform,
    { applications: [entry('library', '图书馆', { names: { en: 'Library', zh_TW: '圖書館' } })] },
    { source: 'test' },
  )
  for (const search of ['Library', '圖書']) expect(ids(await listOf(portal, search)), search).toEqual(['library'])
  for (const search of ['zh_TW', '"', ':']) expect(ids(await listOf(portal, search)), search).toEqual([])
})

test('a page beyond the end is empty and still has the total', async () => {
  const { portal } = await school()
  const { data } = await portal.call<Page>(`/user_information/${portal.user.userId}/app/?pageIndex=7&pageSize=10`)
  expect(data).toEqual({ records: [], total: 2 })
})

test('opening an application from the portal is recorded, and the list then shows when', async () => {
  const { server, portal } = await school()
  expect((await portal.call('/app_visit/save/', { body: { appId: 'library' } })).status).toBe(200)
  const visits = await server.platform.sql`select entry, sso_session_id as "session" from visit_records`
  expect([...visits]).toEqual([{ entry: 'portal', session: portal.ssoSessionId }])
  const library = (await listOf(portal, 'tsg')).data.records[0]
  expect(library?.visitedAt).toMatch(/^\d{4}-/)
})

test('an application that is disabled, not granted or unknown can not be opened, and nothing is recorded', async () => {
  const { server, portal } = await school()
  await disable(server, 'library')
  for (const appId of ['library', 'lab', 'portal', 'nothing']) {
    const reply = await portal.call('/app_visit/save/', { body: { appId } })
    expect([reply.status, reply.envelope.code], appId).toEqual([404, 'application.not-available'])
  }
  expect(await server.platform.sql`select from visit_records`).toHaveLength(0)
})

test("another person's applications are for super users only", async () => {
  const { server, portal } = await school()
  const stranger = await openPortal(server, { account: 'stranger' })
  const admin = await openPortal(server, { account: 'admin', isSuperUser: true })
  const theirs = `/user_information/${portal.user.userId}/app/`
  expect((await stranger.call(theirs)).envelope.code).toBe('permission.denied')
  const asMember = `/user_information/${stranger.user.userId}/app/?memberId=${portal.user.userId}`
  expect((await stranger.call(asMember)).envelope.code).toBe('permission.denied')
  expect(ids(await admin.call<Page>(theirs))).toEqual(['library', 'mail'])
})
