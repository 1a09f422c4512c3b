import { expect, test } from 'vitest'
import {
  type AuthenticationRecord,
  listMyAccountMaintenance,
  listMyAuthentications,
  listMyVisits,
  type MaintenanceRecord,
  type VisitRecord,
} from '#shared/contract/records.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertAuditRecord, insertLoginRecord } from '../../testing/records.ts'
import { testServer } from '../../testing/server.ts'

type Page<Row> = { records: Row[]; total: number; totalIsLowerBound?: boolean }

const RECORDS = '/certification_record'
const logins = async (page: Portal, query = '') =>
  (await page.call<Page<AuthenticationRecord>>(`${RECORDS}/account/${query}`)).data
const maintenance = async (page: Portal, query = '', kind = 'account_maintenance') =>
  (await page.call<Page<MaintenanceRecord>>(`${RECORDS}/${kind}/${query}`)).data
const visits = async (page: Portal, query = '') =>
  (await page.call<Page<VisitRecord>>(`${RECORDS}/application/${query}`)).data

test('a person sees their own logins and failed attempts, newest first, and nothing of anybody else', async () => {
  const server = await testServer()
  const page = await openPortal(server, { account: 'lilei' })
  const stranger = await insertPerson(server, { account: 'stranger' })
  await insertLoginRecord(server, page.user.userId, { account: 'lilei', succeeded: false, reason: 'password.wrong' })
  server.advance(60)
  const { ssoSessionId } = page
  await insertLoginRecord(server, page.user.userId, { account: 'li.lei', ssoSessionId })
  await insertLoginRecord(server, stranger, { account: 'stranger' })
  await insertAuditRecord(server, stranger)
  const list = await logins(page)
  expect(list.total).toBe(2)
  expect(list.records[0]).toEqual({
    id: expect.any(String),
    loginTime: expect.stringMatching(/Z$/),
    logoutTime: null,
    account: 'li.lei',
    authType: 'user',
    provider: null,
    succeeded: true,
    reason: null,
    browser: 'Chrome 140',
    device: 'Windows 11',
    clientType: 'pc',
    ip: '192.0.2.7',
    onCampus: false,
    ipRange: null,
    application: null,
    unusual: false,
    current: true,
  })
  expect(list.records[1]).toMatchObject({
    account: 'lilei',
    succeeded: false,
    reason: 'password.wrong',
    current: false,
  })
  expect(listMyAuthentications.output.parse(list)).toEqual(list)
  expect((await logins(page, '?sort=loginTime')).records.map(({ account }) => account)).toEqual(['lilei', 'li.lei'])
  for (const query of [`?userId=${stranger}`, `?user_id=${stranger}`, `?memberId=${stranger}`]) {
    expect((await page.call(`${RECORDS}/account/${query}`)).envelope.code).toBe('request.invalid')
  }
  expect((await maintenance(page)).total).toBe(0)
})

test('logins are found by name, device, address, network, client, entry, result, place and time', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  const day = (n: number) => new Date(Date.UTC(2026, 10, n, 16))
  await insertLoginRecord(server, userId, { at: day(1), account: 'A_100%', ip: '10.1.2.3', onCampus: true })
  await insertLoginRecord(server, userId, {
    at: day(5),
    account: 'b',
    ip: '2001:db8::7',
    clientType: 'mobile',
    device: 'iPhone',
    authType: 'captcha',
  })
  const failure = { succeeded: false, reason: 'password.wrong', authType: 'campus-id' }
  await insertLoginRecord(server, userId, { at: day(9), account: 'c', ...failure })
  const found = async (query: string) => (await logins(page, `?${query}`)).records.map(({ account }) => account)
  const first = ['search=a_', 'search=%25', 'ip=10.1', 'ip=10.0.0.0/8', 'onCampus=1', 'to=2026-11-01T17:00:00Z']
  for (const query of first) expect([query, await found(query)]).toEqual([query, ['A_100%']])
  const second = [
    'search=iphone',
    'ip=2001:db8::/32',
    'clientType=mobile',
    'authType=captcha',
    'from=2026-11-02T00:00:01%2B08:00&to=2026-11-06T00:00:01%2B08:00',
  ]
  for (const query of second) expect([query, await found(query)]).toEqual([query, ['b']])
  for (const query of ['result=0', 'from=2026-11-09T16:00:00Z', 'authType=third-party']) {
    expect([query, await found(query)]).toEqual([query, ['c']])
  }
  const nobody = ['search=__', "search=' or 1=1 --", 'ip=11.0.0.0/8', 'to=2026-11-01T16:00:00Z', 'authType=passkey']
  for (const query of nobody) expect([query, await found(query)]).toEqual([query, []])
  const wrong = ['from=yesterday', "from=2026-11-01' or 1=1", 'authType=x', 'sort=at', 'result=2', 'ip=1.2.3.4;']
  for (const query of wrong) {
    expect([query, (await page.call(`${RECORDS}/account/?${query}`)).status]).toEqual([query, 400])
  }
})

test('a login from a kind of device never used before is unusual; the first of all and a browser update are not', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  const steps = [
    { browser: 'Chrome 140' },
    { browser: 'Chrome 141' },
    { browser: 'Safari 26', device: 'iPhone' },
    { browser: 'Safari 26', device: 'iPhone' },
    { browser: 'Firefox 145', succeeded: false, reason: 'password.wrong' },
  ]
  for (const step of steps) {
    server.advance(60)
    await insertLoginRecord(server, userId, step)
  }
  expect((await logins(page, '?sort=loginTime')).records.map(({ unusual }) => unusual)).toEqual([
    false,
    false,
    true,
    false,
    false,
  ])
})

test('"this wasn’t me" ends every other login at once and is recorded', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  const thief = await openPortal(server, { userId })
  const at = server.platform.now()
  const id = await insertLoginRecord(server, userId, { at, ssoSessionId: thief.ssoSessionId, device: 'iPhone' })
  const body = { id, loginTime: at.toISOString() }
  const stranger = await openPortal(server)
  const foreign = await stranger.call(`${RECORDS}/account/not_me/`, { body })
  expect(foreign).toMatchObject({ status: 404, envelope: { code: 'record.not-found' } })
  expect((await thief.call(`${RECORDS}/account/`)).status).toBe(200)

  expect((await page.call(`${RECORDS}/account/not_me/`, { body })).data).toEqual({ ended: 1 })
  expect((await thief.call(`${RECORDS}/account/`)).status).toBe(401)
  expect((await page.call(`${RECORDS}/account/`)).status).toBe(200)
  expect((await stranger.call(`${RECORDS}/account/`)).status).toBe(200)
  const [line] = (await maintenance(page)).records
  expect(line).toMatchObject({ action: 'login.disown', by: 'self' })
  expect(line?.changes).toContainEqual({ field: 'device', before: null, after: 'Chrome 140 · iPhone' })
})

test('the current login can not be reported as foreign', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const at = server.platform.now()
  const { ssoSessionId } = page
  const id = await insertLoginRecord(server, page.user.userId, { at, ssoSessionId })
  const answer = await page.call(`${RECORDS}/account/not_me/`, { body: { id, loginTime: at.toISOString() } })
  expect(answer).toMatchObject({ status: 409, envelope: { code: 'session.is-current' } })
})

test('maintenance records say what, by whom and from where; fields not meant for the person are left out', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  const admin = await insertPerson(server, { account: 'admin', isSuperUser: true })
  await insertAuditRecord(server, userId, { action: 'password.change' })
  server.advance(1)
  await insertAuditRecord(server, userId, {
    action: 'account.freeze',
    actorId: admin,
    reason: 'On leave',
    before: { phone: '138****0001', lockSecret: 'x', nested: { a: 1 } },
    after: { phone: '139****0002', hash: 'argon2id' },
  })
  server.advance(1)
  await insertAuditRecord(server, userId, { action: 'account.lock', actorId: null, actor: 'nightly job' })
  await insertAuditRecord(server, userId, { action: 'bootstrap.apply' })
  const list = await maintenance(page)
  expect(list.records.map(({ action, by, maintainer }) => [action, by, maintainer])).toEqual([
    ['account.lock', 'system', null],
    ['account.freeze', 'other', 'Name of admin'],
    ['password.change', 'self', null],
  ])
  expect(list.records[1]).toMatchObject({
    ip: '192.0.2.7',
    reason: 'On leave',
    changes: [{ field: 'phone', before: '138****0001', after: '139****0002' }],
  })
  expect(listMyAccountMaintenance.output.parse(list)).toEqual(list)
  expect(JSON.stringify(list)).not.toMatch(/argon2id|lockSecret|nightly/)

  const actions = async (query: string, kind?: string) =>
    (await maintenance(page, query, kind)).records.map(({ action }) => action)
  expect(await actions('', 'password')).toEqual(['password.change'])
  expect(await actions('?operation=account.lock')).toEqual(['account.lock'])
  expect(await actions('?search=FROZEN')).toEqual(['account.freeze'])
  expect(await actions('?search=of admin')).toEqual(['account.freeze'])
  for (const [by, action] of [
    ['self', 'password.change'],
    ['other', 'account.freeze'],
    ['system', 'account.lock'],
  ]) {
    expect(await actions(`?by=${by}`)).toEqual([action])
  }
  expect((await page.call(`${RECORDS}/password/?operation=account.lock`)).status).toBe(400)
})

test('ending logins, by oneself or by an administrator, is in the owner’s records', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const admin = await openPortal(server, { isSuperUser: true })
  const mine = { userId: page.user.userId }
  const [second, third] = [await openPortal(server, mine), await openPortal(server, mine)]
  await page.call(`${RECORDS}/current_login/end/`, { body: { ids: [second.ssoSessionId] } })
  await page.call(`${RECORDS}/current_login/end_others/`, { body: {} })
  await page.call(`${RECORDS}/current_login/end_others/`, { body: {} })
  const fourth = await openPortal(server, mine)
  await admin.call('/current_login_manage/kick_out/', { body: { ids: [fourth.ssoSessionId] } })
  expect((await third.call(`${RECORDS}/account/`)).status).toBe(401)
  const list = await maintenance(page)
  expect(list.records.map(({ action, by }) => [action, by]).toSorted()).toEqual([
    ['session.end', 'self'],
    ['session.end', 'self'],
    ['session.kick-out', 'other'],
  ])
  expect((await maintenance(admin)).total).toBe(0)
})

test('visits are listed by the name in the language of the page, and found by it', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  await addCasApplication(server, { appId: 'library', name: '图书馆', names: { en: 'Library 100%' } })
  await addCasApplication(server, { appId: 'mail', name: 'Mail' })
  for (const appId of ['library', 'mail']) {
    await page.call('/app_visit/save/', { body: { appId } })
    server.advance(60)
  }
  const stranger = await openPortal(server)
  await stranger.call('/app_visit/save/', { body: { appId: 'mail' } })
  const list = await visits(page)
  expect(list.records.map(({ application, entry }) => [application, entry])).toEqual([
    ['Mail', 'portal'],
    ['Library 100%', 'portal'],
  ])
  expect(listMyVisits.output.parse(list)).toEqual(list)
  const found = async (query: string) => (await visits(page, `?${query}`)).records.map((one) => one.application)
  expect(await found('search=library')).toEqual(['Library 100%'])
  expect(await found('search=%25')).toEqual(['Library 100%'])
  expect(await found('search=_')).toEqual([])
  expect(await found('entry=sign-on')).toEqual([])
  expect(await found('clientType=other&onCampus=0')).toEqual(['Mail', 'Library 100%'])
})

test('pages neither lose nor repeat a record, also with the same time, and the depth is limited', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const { userId } = page.user
  const at = server.platform.now()
  const written = new Set<string>()
  for (let n = 0; n < 25; n++) {
    written.add(await insertLoginRecord(server, userId, { at: n < 12 ? at : new Date(at.getTime() - n * 1000) }))
  }
  const seen: string[] = []
  for (const pageIndex of [1, 2, 3]) {
    const { records, total } = await logins(page, `?pageIndex=${pageIndex}&pageSize=10`)
    expect(total).toBe(25)
    seen.push(...records.map(({ id }) => id))
  }
  expect(new Set(seen)).toEqual(written)
  expect(seen).toHaveLength(25)
  expect((await logins(page, '?pageIndex=4')).records).toEqual([])
  expect((await page.call(`${RECORDS}/account/?pageIndex=1001`)).envelope.code).toBe('list.too-deep')
  await server.platform.sql`
    insert into login_records select gen_random_uuid(), at - n * interval '1 second', user_id, account, auth_type, succeeded,
      reason, ip, user_agent, browser, device, client_type, on_campus, sso_session_id, application_id, logout_at, request_id
    from login_records, generate_series(1, 10000) n where id = ${seen[0] ?? ''}`
  expect(await logins(page)).toMatchObject({ total: 10_000, totalIsLowerBound: true })
})
