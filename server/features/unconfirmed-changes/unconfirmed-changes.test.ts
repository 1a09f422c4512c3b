import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { LoginNameField, StoredFieldRules } from '#shared/contract/account-fields.ts'
import type { Change } from '#shared/contract/change-history.ts'
import type { LoginConfig } from '#shared/contract/login-config.ts'
import type { UnconfirmedChange } from '#shared/contract/unconfirmed-changes.ts'
import { RESTORERS } from '../../restorers.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, postLogin } from '../../testing/people.ts'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { onlyLoginNames } from '../../testing/sign-in.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { goBackWhenDue, purgeUnconfirmedChanges, watchUnconfirmedChanges } from './index.ts'

let server: TestServer
let userId: string
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  userId = await addPerson(server, { account: 'root', isSuperUser: true, phone: '13800006655' })
  page = await openPortal(server, { userId })
})
afterAll(() => server.close())

const details = async () => (await page.call<LoginConfig>('/login_config/details/')).data
const save = async (changes: object, more: object = {}): Promise<Reply<LoginConfig>> =>
  await page.call('/login_config/update/', { body: { version: (await details()).version, changes, ...more } })
const force = (changes: object) => save(changes, { force: true })
const listed = async (who = page) =>
  (await who.call<{ records: UnconfirmedChange[] }>('/unconfirmed_change/query/')).data.records
const waiting = async (who = page) => (await listed(who)).filter(({ outcome }) => outcome === null)
const pass = () => goBackWhenDue(server.platform, RESTORERS)
const actions = async (limit: number) => {
  const query = '/change_history/query/?targetKind=settings&targetId=login'
  const { records } = (await page.call<{ records: Change[] }>(query)).data
  return records.slice(0, limit)
}
const LOCKING = { loginTypes: ['captcha'] }

afterEach(async () => {
  const { platform } = server
  await applyBootstrap(platform, {}, { source: 'file', isFile: true })
  await platform.sql`delete from unconfirmed_changes`
  await platform.sql`delete from settings where name in ('login', 'accountFields')`
  await platform.cache.invalidate(platform.sql, 'settings')
})

test('a change that locks its author out is saved on request, takes effect at once, and is reversed after ten minutes', async () => {
  await save({ passwordMinLength: 10 })
  expect((await save({ ...LOCKING, lockMinutes: 33 })).status).toBe(409)
  expect((await force({ ...LOCKING, lockMinutes: 33 })).data.values).toMatchObject(LOCKING)
  const [change] = await waiting()
  expect(change).toMatchObject({
    targetKind: 'settings',
    targetId: 'login',
    fields: ['loginTypes'],
    madeBy: { id: userId },
    isConfirmable: false,
  })
  expect(change?.secondsLeft).toBeGreaterThan(590)
  server.advance(9 * 60)
  await pass()
  expect((await details()).values).toMatchObject(LOCKING)
  server.advance(61)
  await pass()
  expect((await details()).values).toEqual({ passwordMinLength: 10 })
  expect(await listed()).toMatchObject([{ outcome: 'went-back', leftFields: [], secondsLeft: 0 }])
  const lines = await actions(3)
  expect(lines.map(({ action, actorWord }) => [action, actorWord])).toEqual([
    ['change.go-back', 'system'],
    ['change.force', null],
    ['settings.change', null],
  ])
  expect(lines[0]).toMatchObject({ after: { passwordMinLength: 10 }, restorable: { before: true, after: true } })
})

test('force has no effect on a change that locks nobody out, and two forced changes of one document never wait at once', async () => {
  expect((await force({ lockMinutes: 40 })).status).toBe(200)
  expect(await waiting()).toEqual([])
  expect((await force({ passwordMinLength: 60, passwordMaxLength: 20 })).envelope.code).toBe(
    'login-config.password-lengths',
  )
  const forceNames = (version: number, ...names: LoginNameField[]) =>
    page.call('/account_field_rules/update/', { body: { version, changes: onlyLoginNames(...names), force: true } })
  expect((await forceNames(0, 'alias')).status).toBe(200)
  expect(await postLogin(createBrowser(server), { username: 'root' })).toMatchObject({ status: 401 })
  expect(await forceNames(1, 'mailbox')).toMatchObject({
    status: 409,
    envelope: { code: 'unconfirmed-change.pending' },
  })
  const { data } = await page.call<StoredFieldRules>('/account_field_rules/details/')
  expect([data.version, data.values]).toEqual([1, onlyLoginNames('alias')])
})

test('only a login after the change confirms it, and then it stays', async () => {
  await force(LOCKING)
  const [change] = await waiting()
  const path = `/unconfirmed_change/${change?.id}/confirm/`
  expect(await page.call(path, { body: {} })).toMatchObject({
    status: 409,
    envelope: { code: 'unconfirmed-change.old-login' },
  })
  server.advance(1)
  const tooSoon = await openPortal(server, { userId })
  expect((await tooSoon.call(path, { body: {} })).status).toBe(409)
  server.advance(5)
  const fresh = await openPortal(server, { isSuperUser: true })
  expect(await waiting(fresh)).toMatchObject([{ isConfirmable: true }])
  expect((await fresh.call(path, { body: {} })).status).toBe(200)
  server.advance(700)
  await pass()
  expect((await details()).values).toEqual(LOCKING)
  expect((await actions(1))[0]).toMatchObject({ action: 'change.confirm', actor: { id: fresh.user.userId } })
  expect((await fresh.call(path, { body: {} })).envelope.code).toBe('unconfirmed-change.not-found')
  expect(await listed()).toEqual([])
})

test('a clock that is set back neither keeps a change for longer nor makes an old login a new one', async () => {
  const old = await openPortal(server, { isSuperUser: true })
  server.advance(-3600)
  await force(LOCKING)
  const [change] = await waiting(old)
  expect(change?.isConfirmable).toBe(false)
  expect((await old.call(`/unconfirmed_change/${change?.id}/confirm/`, { body: {} })).envelope.code).toBe(
    'unconfirmed-change.old-login',
  )
  server.advance(-3600)
  await pass()
  expect((await details()).values).toEqual({})
  expect(await listed()).toMatchObject([{ outcome: 'went-back' }])
  server.advance(2 * 3600)
})

test('the old session can reverse it at once', async () => {
  await force(LOCKING)
  const [change] = await waiting()
  const path = `/unconfirmed_change/${change?.id}/take_back/`
  expect((await page.call(path, { body: {} })).data).toEqual({ leftFields: [] })
  expect((await details()).values).toEqual({})
  expect((await actions(1))[0]).toMatchObject({ action: 'change.take-back', actor: { id: userId }, after: {} })
  expect((await page.call(path, { body: {} })).status).toBe(404)
})

test('a field changed since stays when the rest is reversed, and this is reported', async () => {
  await force({ ...LOCKING, lockMinutes: 33, passwordHistory: 7 })
  await save({ lockMinutes: 44, captchaAfterFailures: 9 })
  server.advance(601)
  await pass()
  expect((await details()).values).toEqual({ lockMinutes: 44, captchaAfterFailures: 9 })
  expect(await listed()).toMatchObject([{ outcome: 'went-back', leftFields: ['lockMinutes'] }])
})

test('if constraints between keys forbid the former state, what locks out is reversed anyway', async () => {
  await save({ sessionMaxHours: 8, sessionIdleMinutes: 400 })
  await force({ ...LOCKING, sessionIdleMinutes: 60 })
  await save({ sessionMaxHours: 2 })
  server.advance(601)
  await pass()
  expect((await details()).values).toEqual({ sessionMaxHours: 2, sessionIdleMinutes: 60 })
  expect(await listed()).toMatchObject([{ leftFields: ['sessionIdleMinutes'] }])
})

test('what the bootstrap file sets meanwhile stays as in the file', async () => {
  await force({ ...LOCKING, lockMinutes: 33 })
  await applyBootstrap(
    server.platform,
    { settings: { login: { loginTypes: ['user'], lockMinutes: 33 } } },
    { source: 'file', isFile: true },
  )
  server.advance(601)
  await pass()
  expect((await details()).values).toEqual({ loginTypes: ['user'], lockMinutes: 33 })
  expect((await listed())[0]?.leftFields.toSorted()).toEqual(['lockMinutes', 'loginTypes'])
})

test('two nodes that find it due reverse it once, and so does a node that starts late', async () => {
  const node = await server.secondNode()
  await force(LOCKING)
  server.advance(601)
  await Promise.all([pass(), goBackWhenDue(node.platform, RESTORERS), pass()])
  expect((await actions(3)).map(({ action }) => action)).toEqual(['change.go-back', 'change.force', 'settings.change'])
  await force(LOCKING)
  server.advance(601)
  const watch = await watchUnconfirmedChanges(node.platform, RESTORERS)
  await until(async () => Object.keys((await details()).values).length === 0, 10_000)
  await watch.stop()
})

test('settled changes are deleted after a day, pending ones are not', async () => {
  await force(LOCKING)
  server.advance(601)
  await pass()
  await force(LOCKING)
  server.advance(25 * 3600)
  await purgeUnconfirmedChanges(server.platform)
  const rows = await server.platform.sql<{ outcome: string | null }[]>`select outcome from unconfirmed_changes`
  expect(rows.map(({ outcome }) => outcome)).toEqual([null])
  page = await openPortal(server, { userId })
})

test('only a super user sees, confirms or reverses one', async () => {
  const person = await openPortal(server, { permissions: ['edit'] })
  expect((await person.call('/unconfirmed_change/query/')).status).toBe(403)
  const path = `/unconfirmed_change/${userId}`
  for (const verb of ['confirm', 'take_back'])
    expect((await person.call(`${path}/${verb}/`, { body: {} })).status).toBe(403)
})
