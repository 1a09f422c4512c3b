import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOf, upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { purgeImportRows } from './index.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

test('steps out of order and by an old version are refused', async () => {
  const { id, version } = (await upload(root, 'account,name\n28001,One\n')).data
  const early = await root.call(`/user_information/${id}/import/start/`, { body: { version } })
  expect(early).toMatchObject({ status: 409, envelope: { code: 'import.wrong-state' } })
  const old = await root.call(`/user_information/${id}/import/check/`, {
    body: { version: version + 1, mapping: ['account', 'name'] },
  })
  expect(old).toMatchObject({ status: 409, envelope: { code: 'version.conflict' } })
  const twice = await root.call(`/user_information/${id}/import/check/`, {
    body: { version, mapping: ['account', 'account'] },
  })
  expect(twice.status).toBe(400)
  expect((await runOf(root, id)).state).toBe('read')
})

test('the template comes in the language of the person, and uploaded as it is it has no rows to import', async () => {
  const cookie = root.browser.cookieHeader('/auth_service/')
  const headers = { 'accept-language': 'zh-CN' }
  const get = (format: string) =>
    signedFetch(server, `/user_information/import/template/?format=${format}`, { token: root.token, cookie, headers })
  const csv = await (await get('csv')).text()
  expect(csv).toContain('学工号,姓名,用户类别,部门')
  const book = Buffer.from(await (await get('xlsx')).arrayBuffer())
  for (const file of [csv, book]) expect((await upload(root, file)).envelope.code).toBe('import.no-rows')
})

test('lists of imports and tasks accept any search text', async () => {
  for (const path of ['/user_information/import/query/', '/background_task/query/']) {
    for (const search of ['%00', '%25', "'", '%5C']) {
      expect([path, search, (await root.call(`${path}?search=${search}`)).status < 500]).toEqual([path, search, true])
    }
  }
})

test('after a month the rows of a file are deleted, and the run says so', async () => {
  const { id } = (await upload(root, 'account,name\n28101,One\n')).data
  const later = { ...server.platform, now: () => new Date(server.platform.now().getTime() + 31 * 86_400_000) }
  await purgeImportRows(later)
  expect(await runOf(root, id)).toMatchObject({ rowCount: 1, examples: [] })
  const answer = await root.call(`/user_information/${id}/import/download/`)
  expect(answer).toMatchObject({ status: 410, envelope: { code: 'import.expired' } })
})
