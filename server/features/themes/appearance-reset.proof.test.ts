import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { StoredLoginPage } from '#shared/contract/login-page.ts'
import type { Theme } from '#shared/contract/themes.ts'
import { runAdminCommand } from '../../testing/admin-command.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: Portal
beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

const command = (...words: string[]) => runAdminCommand(server, 'appearance', ...words)

type Chosen = { themes: Theme[]; theme: string; version: number }
const chosen = async () => (await admin.call<Chosen>('/login_config/themes/')).data
const loginPage = async () => (await fetch(`${server.url}/auth_web/login?service=`)).text()

test('the command restores the shipped look of every page on a running server, keeps the themes, and is recorded', async () => {
  const { data: own } = await admin.call<Theme>('/login_config/create/', { body: { name: 'Our campus', base: 'ink' } })
  await admin.call(`/login_config/themes/${own.id}/publish/`, { body: { version: own.version } })
  await admin.call('/login_config/choose_theme/', { body: { theme: own.id, version: (await chosen()).version } })
  const { version } = (await admin.call<StoredLoginPage>('/login_config/login_page_config/', { body: {} })).data
  await admin.call('/login_config/update_login_page_config/', { body: { version, changes: { layout: 'centre' } } })
  const before = await loginPage()
  expect(before).toContain('id="theme"')
  expect(before).toContain('page-centre')

  expect(command('reset')).toMatchObject({ status: 0 })
  await expect.poll(loginPage, { timeout: 5000 }).not.toContain('id="theme"')
  expect(await loginPage()).toContain('page-right')
  const after = await chosen()
  expect(after.theme).toBe('gatehouse')
  expect(after.themes.map(({ name }) => name)).toContain('Our campus')
  const { data } = await admin.call<{ records: Change[] }>(
    '/change_history/query/?targetKind=settings&targetId=appearance',
  )
  expect(data.records[0]).toMatchObject({ actorWord: 'command line', before: { theme: own.id } })
  expect(command().status).not.toBe(0)
})
