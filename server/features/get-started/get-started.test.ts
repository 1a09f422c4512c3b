import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import { GetStarted } from '#shared/contract/get-started.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'
import { signedFetch } from '../../testing/signed.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const QUERY = '/get_started/query/'
const look = async (page: Portal) => GetStarted.parse((await page.call(QUERY)).data)
const openSteps = async (page: Portal) =>
  (await look(page)).steps.filter(({ isDone }) => !isDone).map(({ name, hint }) => (hint ? `${name} ${hint}` : name))

const update = (page: Portal, body: object) => page.call<GetStarted>('/get_started/update/', { body })

const enrol = (server: TestServer, userId: string) =>
  server.platform.sql`
    insert into second_factors (user_id, totp_secret, created_at) values (${userId}, 'sealed', ${server.platform.now()})`

test('each step is done as soon as its condition holds, and the backup when somebody says so', async () => {
  const server = await testServer()
  const userId = await insertPerson(server, { account: 'principal', isSuperUser: true })
  const page = await openPortal(server, { userId })
  expect(await openSteps(page)).toEqual([
    'https',
    'institution',
    'mail',
    'sms',
    'second-factor own',
    'people',
    'application',
    'backup',
  ])
  const mail = { host: 'mail.school.test', port: 25, security: 'none', from: 'portal@school.test' }
  await page.call('/message_gateways/save_mail/', { body: { version: 0, gateway: mail } })
  await applyBootstrap(server.platform, { settings: { gateway: { names: { en: 'Riverside' } } } }, { source: 'test' })
  await addPerson(server, { account: 'second-chief', isSuperUser: true })
  expect(await openSteps(page)).toEqual(['https', 'sms', 'second-factor own', 'people', 'application', 'backup'])
  const gateway = { provider: 'gateway', url: 'https://sms.school.test/', appId: 'a', secret: 'a-secret-of-length' }
  await page.call('/message_gateways/save_sms/', { body: { version: 0, gateway } })
  await insertPerson(server)
  await addCasApplication(server, { appId: 'library' })
  await enrol(server, userId)
  expect(await openSteps(page)).toEqual(['https', 'backup'])
  const { data } = await update(page, { isBackupTested: true })
  expect(data.backupTestedBy).toBe('principal')
  expect(data.backupTestedAt?.slice(0, 15)).toBe(server.platform.now().toISOString().slice(0, 15))
  expect(await openSteps(page)).toEqual(['https'])
  await setPolicy(server, { secondFactorSuperUsers: false })
  expect(await openSteps(page)).toEqual(['https', 'second-factor'])
})

test('https is done when people use it, and an untrusted proxy is distinguished', async () => {
  const server = await testServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const page = await openPortal(server, { isSuperUser: true })
  const cookies = ['portal', 'browser'].map((name) => page.browser.cookie(`gatehouse_${name}`))
  server.platform.config.publicUrl = server.url.replace('http:', 'https:')
  const cookie = `__Host-gatehouse_portal=${cookies[0]}; __Host-gatehouse_browser=${cookies[1]}`
  const httpsStep = async (headers: Record<string, string>) => {
    const answer = await signedFetch(server, QUERY, { token: page.token, cookie, headers })
    return ((await answer.json()) as { data: GetStarted }).data.steps[0]
  }
  expect(await httpsStep({})).toEqual({ name: 'https', isDone: false, hint: 'proxy' })
  expect(await httpsStep({ 'x-forwarded-proto': 'https' })).toEqual({ name: 'https', isDone: true, hint: null })
})

test('what an administrator hid stays hidden for all of them, and can be shown again; the history says who', async () => {
  const server = await testServer()
  const page = await openPortal(server, { account: 'principal', isSuperUser: true })
  const other = await openPortal(server, { isSuperUser: true })
  await update(page, { isDismissed: true })
  expect(await look(other)).toMatchObject({ isDismissed: true })
  await update(other, { isDismissed: false })
  await update(other, { isBackupTested: true })
  await update(other, { isBackupTested: false })
  expect(await look(page)).toMatchObject({ isDismissed: false, backupTestedAt: null, backupTestedBy: null })
  const query = '/change_history/query/?targetKind=settings&targetId=getStarted'
  const { records } = (await page.call<{ records: Change[] }>(query)).data
  expect(records).toHaveLength(4)
  expect(records.at(-1)).toMatchObject({ actor: { account: 'principal' }, after: { isDismissed: true } })
})

test('nobody but super users sees or ticks it', async () => {
  const server = await testServer()
  const helper = await openPortal(server, { permissions: ['edit', 'import'] })
  expect((await helper.call(QUERY)).status).toBe(403)
  expect((await update(helper, { isDismissed: true })).status).toBe(403)
})
