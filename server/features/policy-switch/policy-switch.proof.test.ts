import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { UnconfirmedChange } from '#shared/contract/unconfirmed-changes.ts'
import { runAdminCommand } from '../../testing/admin-command.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, postLogin } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { onlyLoginNames, setFieldRules, setPolicy } from '../../testing/sign-in.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { userId: await addPerson(server, { account: 'root', isSuperUser: true }) })
})
afterAll(() => server.close())

const command = (...words: string[]) => runAdminCommand(server, 'policies', ...words)

type Notices = { records: UnconfirmedChange[]; arePoliciesOff: boolean }
const areOff = async () => (await page.call<Notices>('/unconfirmed_change/query/')).data.arePoliciesOff
const lines = async (id: string) => {
  const { data } = await page.call<{ records: Change[] }>(`/change_history/query/?targetKind=settings&targetId=${id}`)
  return data.records.map(({ actor, actorWord, after }) => [actor?.account ?? actorWord, after])
}

test('the command suspends the access rules, a super user activates them again, and both are audited', async () => {
  expect(await areOff()).toBe(false)
  expect(command('off')).toMatchObject({ status: 0, stderr: '' })
  await expect.poll(areOff, { timeout: 5000 }).toBe(true)
  expect((await page.call('/access_rule/switch_on/', { body: {} })).status).toBe(200)
  expect(await areOff()).toBe(false)
  expect(await lines('access')).toEqual([
    ['root', { suspended: false }],
    ['command line', { suspended: true }],
  ])
  command('off')
  expect(command('on').stdout).toContain('hold again')
  await expect.poll(areOff, { timeout: 5000 }).toBe(false)
})

test('it resets login names to their default only if no super user could log in', async () => {
  await setPolicy(server, { loginTypes: ['user'] })
  await setFieldRules(server, onlyLoginNames('account'))
  expect(command('off').stdout).not.toContain('No super user')
  await setFieldRules(server, { ...onlyLoginNames('mailbox'), 'phone.required': 'always' })
  expect((await postLogin(createBrowser(server), { username: 'root' })).status).toBe(401)
  expect(command('off').stdout).toMatch(/back to their defaults are accountFields.*login\.loginTypes/)
  await expect
    .poll(async () => (await postLogin(createBrowser(server), { username: 'root' })).status, { timeout: 5000 })
    .toBe(200)
  expect((await lines('accountFields'))[0]).toEqual(['command line', { 'phone.required': 'always' }])
  command('on')
})

test('it leaves alone what the bootstrap file sets, and says so', async () => {
  const settings = { login: { loginNames: ['mailbox' as const] } }
  await applyBootstrap(server.platform, { settings }, { source: 'file', isFile: true })
  expect(command('off').stdout).toMatch(/the bootstrap file sets accountFields\.\w+\.isLoginName/)
  await applyBootstrap(server.platform, {}, { source: 'file', isFile: true })
  command('on')
})

test('any other word is answered with the usage, and nothing changes', async () => {
  const before = (await lines('access')).length
  expect(command('maybe')).toMatchObject({ status: 1, stdout: '' })
  expect(command('maybe').stderr).toContain('policies <off|on>')
  expect((await lines('access')).length).toBe(before)
})
