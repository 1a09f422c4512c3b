import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { listCurrentLogins, listMyLogins } from '#shared/contract/sessions.ts'
import { insertLogin, insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

type Listed = {
  id: string
  account?: string
  organization?: string
  ip: string
  current: boolean
  lastSeen: string
  clientType: string
}
type Listing = { records: Listed[]; total: number; totalIsLowerBound?: boolean }

const MINE = '/certification_record/current_login/'
const ALL = '/current_login_manage/query/'
const mine = async (page: Portal, query = '') => (await page.call<Listing>(MINE + query)).data
const all = async (page: Portal, query = '') => (await page.call<Listing>(ALL + query)).data

test('my logins show this one first, tagged, and only mine', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  await openPortal(server)
  server.advance(120)
  const phone = await openPortal(server, { userId: page.user.userId, clientType: 'mobile', onCampus: true })
  const list = await mine(page)
  expect(list.records.map(({ id, current }) => [id, current])).toEqual([
    [page.ssoSessionId, true],
    [phone.ssoSessionId, false],
  ])
  expect(list.total).toBe(2)
  expect(list.records[1]).toEqual({
    id: phone.ssoSessionId,
    browser: 'Chrome 140',
    device: 'Windows 11',
    clientType: 'mobile',
    ip: '192.0.2.7',
    onCampus: true,
    authType: 'user',
    provider: null,
    remembered: false,
    loginTime: expect.any(String),
    lastSeen: expect.any(String),
    current: false,
  })
})

test('ended, expired and idle logins are not current; a remembered one is until its end', async () => {
  const server = await testServer()
  const userId = await insertPerson(server)
  const ended = await insertLogin(server, userId)
  await server.platform.sql`update sso_sessions set ended_at = ${server.platform.now()} where id = ${ended}`
  await insertLogin(server, userId)
  const remembered = await insertLogin(server, userId, { remembered: true })
  server.advance(121 * 60)
  const page = await openPortal(server, { userId })
  const admin = await openPortal(server, { isSuperUser: true })
  expect((await mine(page)).records.map(({ id }) => id)).toEqual([page.ssoSessionId, remembered])
  expect((await all(admin)).total).toBe(3)
  server.advance(6 * 3600)
  const later = await openPortal(server, { userId })
  expect((await mine(later)).records.map(({ id }) => id)).toEqual([later.ssoSessionId])
})

test('ending another of my logins works at once on every node', async () => {
  const server = await testServer()
  const node = await server.secondNode()
  const page = await openPortal(server)
  const other = await openPortal(node, { userId: page.user.userId })
  const third = await openPortal(server, { userId: page.user.userId })
  const answer = await page.call(`${MINE}end/`, { body: { ids: [other.ssoSessionId, other.ssoSessionId] } })
  expect(answer.data).toEqual({ ended: 1 })
  expect((await other.call(MINE)).status).toBe(401)
  expect((await third.call(MINE)).status).toBe(200)
  const again = await page.call(`${MINE}end/`, { body: { ids: [other.ssoSessionId] } })
  expect(again.data).toEqual({ ended: 0 })
})

test('including somebody else’s login among mine rejects the whole call', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const other = await openPortal(server, { userId: page.user.userId })
  const stranger = await openPortal(server)
  for (const foreign of [stranger.ssoSessionId, '00000000-0000-7000-8000-000000000000']) {
    const answer = await page.call(`${MINE}end/`, { body: { ids: [other.ssoSessionId, foreign] } })
    expect(answer).toMatchObject({ status: 403, envelope: { code: 'session.not-yours' } })
  }
  expect((await other.call(MINE)).status).toBe(200)
  expect((await stranger.call(MINE)).status).toBe(200)
})

test('the current login ends by logging out, not from the list', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const answer = await page.call(`${MINE}end/`, { body: { ids: [page.ssoSessionId] } })
  expect(answer).toMatchObject({ status: 409, envelope: { code: 'session.is-current' } })
  expect((await page.call(MINE)).status).toBe(200)
})

test('ending all others leaves this one and other people alone', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const others = await Promise.all([1, 2, 3].map(() => openPortal(server, { userId: page.user.userId })))
  const stranger = await openPortal(server)
  expect((await page.call(`${MINE}end_others/`, { body: {} })).data).toEqual({ ended: 3 })
  for (const other of others) expect((await other.call(MINE)).status).toBe(401)
  expect((await stranger.call(MINE)).status).toBe(200)
  expect((await mine(page)).records).toHaveLength(1)
})

test('an administrator kicks out: every node refuses at once, and the audit says who and whom', async () => {
  const server = await testServer()
  const node = await server.secondNode()
  const admin = await openPortal(server, { isSuperUser: true })
  const person = await openPortal(node, { account: 'hanmeimei' })
  const answer = await admin.call('/current_login_manage/kick_out/', { body: { ids: [person.ssoSessionId] } })
  expect(answer.data).toEqual({ ended: 1, ids: [person.ssoSessionId] })
  expect((await person.call(MINE)).status).toBe(401)
  const [audit] = await server.platform.sql`
    select actor_id as actor, action, target_id as target, before from audit_records`
  expect(audit).toEqual({
    actor: admin.user.userId,
    action: 'session.kick-out',
    target: person.ssoSessionId,
    before: { userId: person.user.userId, account: 'hanmeimei', ip: '192.0.2.7' },
  })
})

test('kicking out writes the logout time into the login record', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const person = await openPortal(server)
  const { sql, now } = server.platform
  await sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
      on_campus, sso_session_id, request_id)
    values (${person.ssoSessionId}, ${now()}, ${person.user.userId}, 'x', 'user', true, '192.0.2.7', '', '', '', 'pc', false,
      ${person.ssoSessionId}, '')`
  await admin.call('/current_login_manage/kick_out/', { body: { ids: [person.ssoSessionId] } })
  expect(await sql`select from login_records where logout_at is not null`).toHaveLength(1)
})

test('an administrator who picks the own login among others ends none', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const person = await openPortal(server)
  const answer = await admin.call('/current_login_manage/kick_out/', {
    body: { ids: [person.ssoSessionId, admin.ssoSessionId] },
  })
  expect(answer).toMatchObject({ status: 409, envelope: { code: 'session.is-current' } })
  expect((await person.call(MINE)).status).toBe(200)
  expect(await server.platform.sql`select from audit_records`).toHaveLength(0)
})

test('everyone who is logged in can be found by account, name, pinyin, address, client and place', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true, account: 'root' })
  const { sql } = server.platform
  await openPortal(server, { account: '20260001', ip: '10.1.2.3', onCampus: true })
  await sql`update users set name = '张三', name_pinyin = 'zhangsan', name_initials = 'zs' where account = '20260001'`
  await openPortal(server, { account: 'A_100%', ip: '2001:db8::7', clientType: 'mobile' })
  const found = async (query: string) => (await all(admin, query)).records.map(({ account }) => account)
  expect(await found('')).toEqual(['A_100%', '20260001', 'root'])
  expect(await found('?sort=loginTime')).toEqual(['root', '20260001', 'A_100%'])
  for (const query of [
    'search=2026',
    'search=张',
    'search=zhang',
    'search=ZS',
    'ip=10.1',
    'ip=10.0.0.0/8',
    'onCampus=1',
  ]) {
    expect([query, await found(`?${query}`)]).toEqual([query, ['20260001']])
  }
  for (const query of ['search=a_', 'search=A_100%25', 'ip=2001:db8::/32', 'clientType=mobile']) {
    expect([query, await found(`?${query}`)]).toEqual([query, ['A_100%']])
  }
  for (const query of ['search=%25', 'search=_', "search=' or 1=1 --", 'ip=11.0.0.0/8', 'search=26']) {
    expect([query, await found(`?${query}`)]).toEqual([query, []])
  }
})

test('people with a common surname are found among current logins, by their current name', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true, account: 'root' })
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, name_pinyin, name_initials, created_at, updated_at)
    select gen_random_uuid(), 'w' || n, case when n % 2 = 0 then '王' || n else 'Wang Number' || n end, 'wang' || n, 'w', ${now()}, ${now()}
    from generate_series(1, 99) n`
  await sql`
    insert into sso_sessions (id, secret_hash, user_id, auth_type, authenticated_at, opened_at, last_seen_at, expires_at, ip,
      user_agent, browser, device, client_type, on_campus)
    select gen_random_uuid(), sha256(u.account::bytea), u.id, 'user', ${now()}, ${now()}, ${now()},
      ${new Date(now().getTime() + 3_600_000)}, '192.0.2.9', '', '', '', 'pc', u.account = 'w2'
    from users u where u.account like 'w%'`
  await sql`update users set name = '张四', name_pinyin = 'zhangsi', name_initials = 'zs', phone = '+8613800138000' where account = 'w4'`
  for (const [search, total] of [
    ['王', 48],
    ['wang', 98],
    ['w', 99],
    ['number', 0],
    ['number7', 1],
    ['张', 1],
    ['zhangs', 1],
    ['1380013', 1],
    ['李', 0],
  ] as const) {
    expect([search, (await all(admin, `?search=${search}`)).total]).toEqual([search, total])
  }
  expect((await all(admin, '?search=王&onCampus=1')).records).toMatchObject([{ account: 'w2', name: '王2' }])
  const pages = await Promise.all([1, 2].map((at) => all(admin, `?search=王&pageSize=30&pageIndex=${at}`)))
  expect(new Set(pages.flatMap(({ records }) => records.map(({ id }) => id))).size).toBe(48)
})

test('a list rejects invalid parameters, and paging neither loses nor repeats anyone', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const ids = new Set([admin.ssoSessionId])
  for (let i = 0; i < 24; i++) ids.add(await insertLogin(server, admin.user.userId))
  const hostile = ['pageSize=0', 'pageSize=-1', 'pageSize=1e9', 'pageSize=NaN', 'pageIndex=0', 'pageIndex=1.5']
  const unknown = ['sort=name', 'sort=opened_at;drop', 'other=1', 'ip=1.2.3.4;', 'clientType=x', 'onCampus=2']
  for (const query of [...hostile, ...unknown, 'search=a&search=b', 'pageIndex[]=1', `search=${'x'.repeat(101)}`]) {
    const answer = await admin.call(`${ALL}?${query}`)
    expect([query, answer.status, answer.envelope.code]).toEqual([query, 400, 'request.invalid'])
  }
  const seen: string[] = []
  for (let pageIndex = 1; pageIndex <= 3; pageIndex++) {
    const { records, total } = await all(admin, `?pageIndex=${pageIndex}&pageSize=10`)
    expect(total).toBe(25)
    seen.push(...records.map(({ id }) => id))
  }
  expect(new Set(seen)).toEqual(ids)
  expect(seen).toHaveLength(25)
  expect(seen).toEqual(seen.toSorted().toReversed())
  expect((await all(admin, '?pageIndex=4&pageSize=10')).records).toEqual([])
  expect(await all(admin, '?pageIndex=1001')).toBeNull()
})

test('above ten thousand the total is a lower bound', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  await server.platform.sql`
    insert into sso_sessions (id, secret_hash, user_id, auth_type, authenticated_at, opened_at, last_seen_at, expires_at, ip,
      user_agent, browser, device, client_type, on_campus)
    select gen_random_uuid(), sha256(n::text::bytea), user_id, auth_type, authenticated_at, opened_at, last_seen_at, expires_at,
      ip, '', '', '', 'other', false
    from sso_sessions, generate_series(1, 10000) n where id = ${admin.ssoSessionId}`
  expect(await all(admin)).toMatchObject({ total: 10_000, totalIsLowerBound: true })
  expect((await admin.call(ALL)).envelope.total).toBe(10_000)
  expect(await all(admin, '?clientType=pc')).toMatchObject({ total: 1 })
})

test('lists return what the contract says and nothing more', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const own = await mine(admin)
  const managed = await all(admin)
  expect(listMyLogins.output.parse(own)).toEqual(own)
  expect(listCurrentLogins.output.parse(managed)).toEqual(managed)
  expect(Object.keys(managed.records[0] ?? {}).toSorted()).toEqual(
    'account authType browser clientType current device factor id ip lastSeen loginTime name onCampus organization provider remembered userId'.split(
      ' ',
    ),
  )
})

test('an organisation is listed by its name in the language of the page, and by its own name where it has none', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const admin = await openPortal(server, { isSuperUser: true })
  const id = v7()
  await sql`
    insert into organizations (id, code, name, names, ancestor_ids, created_at, updated_at)
    values (${id}, 'cs', '计算机科学系', '{"en": "Computer Science"}', ${[id]}, ${server.platform.now()}, ${server.platform.now()})`
  await sql`update users set organization_id = ${id} where id = ${admin.user.userId}`
  const organization = async () => (await all(admin)).records.map((one) => one.organization)
  expect(await organization()).toEqual(['Computer Science'])
  await sql`update organizations set names = '{"zh_TW": "電腦科學系"}' where id = ${id}`
  expect(await organization()).toEqual(['计算机科学系'])
})

test('the ids of the list are not credentials', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const [row] = (await mine(page)).records
  for (const value of [row?.id ?? '', page.ssoSessionId]) {
    const cookies = `gatehouse_portal=${value}; CASTGC=${value}; CASTGC=TGT-${value}`
    expect((await page.call(MINE, { cookie: cookies, token: value })).status).toBe(401)
    const answer = await page.call('/login/pc/', { body: { jsessionid: value } })
    expect(answer.status).toBe(401)
  }
})
