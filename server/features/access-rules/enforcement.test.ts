import { afterEach, beforeEach, expect, test } from 'vitest'
import { openService, ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, attemptWithCaptcha, BEHIND_PROXY, enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
beforeEach(async () => {
  server = await startTestServer(BEHIND_PROXY)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  for (const code of ['student', 'guest']) await root.call('/user_category/create/', { body: { code, name: code } })
  await setPolicy(server, { captchaAfterFailures: 1000, lockAfterFailures: 1000, addressFailures: 100_000 })
})
afterEach(() => server.close())

type Saved = { id: string; version: number }
async function make(path: string, body: object): Promise<Saved> {
  const { envelope, data } = await root.call<Saved>(`${path}/create/`, { body })
  if (envelope.state !== 200) throw new Error(`${path}: ${envelope.code} ${JSON.stringify(envelope.data)}`)
  return data
}
const rule = (name: string, more: object) => make('/access_rule', { name, mode: 'on', outcome: 'refuse', ...more })
const range = (name: string, networks: string[], kind = 'campus') => make('/ip_range', { name, kind, networks })
const remove = (path: string, { id, version }: Saved) => root.call(`${path}/${id}/delete/`, { body: { version } })

type Recorded = {
  succeeded: boolean
  reason: string | null
  said: { name: string; outcome: string; mode: string }[] | null
}
const recorded = async (account: string): Promise<Recorded | undefined> => {
  const [row] = await server.platform.sql<Recorded[]>`
    select succeeded, reason, rule_outcomes as said from login_records where account = ${account} order by at desc, id desc limit 1`
  return row
}
const codeOf = async (account: string, from: string) => (await attempt(server, account, PASSWORD, { from })).code

test('a rejected person sees the rule’s own message, and only after the correct password', async () => {
  await addPerson(server, { account: 'ann', category: 'student' })
  await range('Campus', ['10.0.0.0/8'])
  await rule('Off campus', {
    who: { categories: ['student'] },
    where: { kinds: ['campus'], place: 'outside' },
    message: 'Come to the library.',
  })
  const refused = await attempt(server, 'ann', PASSWORD, { from: '203.0.113.5' })
  expect([refused.status, refused.code]).toEqual([403, 'sign-in.rule-refused'])
  expect(refused.message).toContain('Come to the library.')
  expect(await recorded('ann')).toEqual({
    succeeded: false,
    reason: 'rule.refused',
    said: [{ rule: expect.any(String), name: 'Off campus', outcome: 'refuse', mode: 'on' }],
  })
  // An IPv4 address may arrive in its IPv6 form.
  for (const from of ['10.1.2.3', '::ffff:10.1.2.3']) expect(await codeOf('ann', from)).toBe('')
  expect((await recorded('ann'))?.said).toBeNull()
  const wrong = await attempt(server, 'ann', 'wrong', { from: '203.0.113.5' })
  const unknown = await attempt(server, 'nobody', 'wrong', { from: '203.0.113.5' })
  expect([wrong.status, wrong.code, wrong.message, wrong.data]).toEqual([
    unknown.status,
    unknown.code,
    unknown.message,
    unknown.data,
  ])
  expect((await recorded('ann'))?.said).toBeNull()
})

test('the strictest of the rules decides, in whatever order they were made', async () => {
  await addPerson(server, { account: 'ann', category: 'student' })
  const everywhere = await range('Everywhere', ['0.0.0.0/0'], 'other')
  const place = { where: { ranges: [everywhere.id] } }
  const orders = [
    ['notify', 'refuse', 'second-factor'],
    ['second-factor', 'notify', 'refuse'],
    ['refuse', 'second-factor', 'notify'],
  ]
  for (const outcomes of orders) {
    const made: Saved[] = []
    for (const outcome of outcomes)
      made.push(
        await rule(outcome, { ...place, outcome, who: outcome === 'notify' ? {} : { categories: ['student'] } }),
      )
    expect(await codeOf('ann', '198.51.100.9')).toBe('sign-in.rule-refused')
    expect((await recorded('ann'))?.said?.map(({ outcome }) => outcome)).toEqual(['refuse', 'second-factor', 'notify'])
    for (const one of made) await remove('/access_rule', one)
  }
})

test('a rule that only reports changes nothing, and the record says what it would have done', async () => {
  await addPerson(server, { account: 'ann' })
  await rule('Would refuse', { mode: 'report' })
  await rule('Is off', { mode: 'off' })
  expect(await codeOf('ann', '198.51.100.9')).toBe('')
  expect(await recorded('ann')).toMatchObject({ succeeded: true, said: [{ name: 'Would refuse', mode: 'report' }] })
})

test('a rule for organisations and roles applies to everybody below or with the role, and nobody else', async () => {
  const law = (await root.call<Saved>('/organization/create/', { body: { code: 'law', name: 'Law', parentId: null } }))
    .data
  await root.call('/organization/create/', { body: { code: 'civil', name: 'Civil law', parentId: law.id } })
  await addPerson(server, { account: 'ann', organization: 'civil' })
  const bob = await addPerson(server, { account: 'bob' })
  await addPerson(server, { account: 'cyd' })
  const role = await make('/role', { code: 'guests', name: 'Guests' })
  await server.platform
    .sql`insert into role_members (role_id, user_id) values (${role.id}, ${bob}) on conflict do nothing`
  await rule('Law', { who: { organizations: [law.id] } })
  await rule('Guests', { who: { roles: [role.id] } })
  for (const [account, code] of [
    ['ann', 'sign-in.rule-refused'],
    ['bob', 'sign-in.rule-refused'],
    ['cyd', ''],
  ] as const)
    expect([account, await codeOf(account, '198.51.100.9')]).toEqual([account, code])
})

test('a deleted reference fails closed for a second factor, and rejects nobody', async () => {
  await addPerson(server, { account: 'ann' })
  const lab = await range('Lab', ['10.9.0.0/16'], 'other')
  await rule('Refused there', { where: { ranges: [lab.id] } })
  await rule('Asked there', { where: { ranges: [lab.id] }, outcome: 'second-factor' })
  await rule('Refused elsewhere', { where: { ranges: [lab.id], place: 'outside' }, mode: 'report' })
  expect(await codeOf('ann', '10.9.0.1')).toBe('sign-in.rule-refused')
  await remove('/ip_range', lab)
  for (const from of ['10.9.0.1', '192.0.2.1']) {
    expect(await codeOf('ann', from)).toBe('')
    expect((await recorded('ann'))?.said?.map(({ name }) => name)).toEqual(['Asked there'])
  }
})

test('times are those of the zone, may last over midnight, and follow a clock that jumps', async () => {
  await addPerson(server, { account: 'ann', category: 'student' })
  // Friday nights in Shanghai (UTC+8); not for the caller, who would lock themselves out if it were such a night now.
  await rule('Night', {
    who: { categories: ['student'] },
    when: { weekdays: [5], from: '22:00', to: '06:00', zone: 'Asia/Shanghai' },
  })
  const at = async (moment: string) => {
    server.advance((Date.parse(moment) - server.platform.now().getTime()) / 1000)
    return (await codeOf('ann', '198.51.100.9')) === 'sign-in.rule-refused'
  }
  // 2030-03-01 is a Friday.
  expect(await at('2030-03-01T13:59:00Z')).toBe(false)
  expect(await at('2030-03-01T14:00:00Z')).toBe(true)
  expect(await at('2030-03-01T21:59:00Z')).toBe(true)
  expect(await at('2030-03-01T22:00:00Z')).toBe(false)
  expect(await at('2030-03-02T15:00:00Z')).toBe(false)
  expect(await at('2030-03-01T20:00:00Z')).toBe(true)
})

test('a session is refused an application, the portal and its ticket as soon as a rule says so', async () => {
  await addPerson(server, { account: 'ann' })
  await addCasApplication(server, { appId: 'shop' })
  await addCasApplication(server, { appId: 'free' })
  const page = await enterPortal(server, 'ann')
  const shop = 'https://shop.test/'
  const ticket = await ticketFor(page.browser, shop)
  const only = await rule('No shop', { applications: ['shop'], message: 'Closed today.' })
  const refused = await openService(page.browser, shop)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('Closed today.')
  expect((await validateP3(server, shop, ticket)).user).toBeNull()
  for (const query of [{ gateway: 'true' }, { warn: 'true' }, { method: 'POST' }, { 'login-request': '1' }] as Record<
    string,
    string
  >[]) {
    const { location, text } = await openService(page.browser, shop, query)
    expect([query, location.includes('ticket='), text.includes('ST-')]).toEqual([query, false, false])
  }
  expect((await openService(page.browser, 'https://free.test/')).location).toContain('ticket=ST-')
  expect((await page.call('/certification_record/account/')).status).toBe(200)
  await remove('/access_rule', only)
  expect((await openService(page.browser, shop)).location).toContain('ticket=ST-')
  await range('Here', ['127.0.0.0/8'], 'other')
  await addPerson(server, { account: 'guest', category: 'guest' })
  const guest = await enterPortal(server, 'guest')
  await rule('No guests', { who: { categories: ['guest'] } })
  expect((await guest.call('/certification_record/account/')).status).toBe(401)
  expect((await openService(guest.browser, shop)).status).toBe(403)
  expect((await openService(page.browser, shop)).location).toContain('ticket=ST-')
})

test('a captcha by address is required for every name alike, and nowhere else', async () => {
  await addPerson(server, { account: 'ann' })
  await range('Campus', ['10.0.0.0/8'])
  await rule('Outside', { outcome: 'captcha', where: { kinds: ['campus'], place: 'outside' } })
  const [known, unknown] = [
    await attempt(server, 'ann', 'x', { from: '203.0.113.5' }),
    await attempt(server, 'nobody', 'x', { from: '203.0.113.5' }),
  ]
  expect([known.code, known.data]).toEqual(['sign-in.captcha-required', { captcha: { kind: 'proof-of-work' } }])
  expect([known.status, known.code, known.message, known.data]).toEqual([
    unknown.status,
    unknown.code,
    unknown.message,
    unknown.data,
  ])
  expect(await codeOf('ann', '10.1.2.3')).toBe('')
  expect((await attemptWithCaptcha(server, 'ann', PASSWORD, { from: '203.0.113.5' })).code).toBe('')
})

test('a notice goes to the person, once an hour for each rule', async () => {
  await addPerson(server, { account: 'ann', mailbox: 'ann@school.test' })
  await rule('Tell', { outcome: 'notify' })
  const sent = async () => {
    const rows = await server.platform.sql`select from messages where template = 'notice.rule-login'`
    return rows.length
  }
  for (const times of [1, 1]) {
    expect(await codeOf('ann', '198.51.100.9')).toBe('')
    expect(await sent()).toBe(times)
  }
  await rule('Tell again', { outcome: 'notify' })
  expect(await codeOf('ann', '198.51.100.9')).toBe('')
  expect(await sent()).toBe(2)
})

test('suspended rules do nothing, those of the login configuration included', async () => {
  await addPerson(server, { account: 'ann' })
  await rule('Everybody', { who: { categories: ['student'] }, outcome: 'refuse', mode: 'on' })
  await addPerson(server, { account: 'bob', category: 'student' })
  expect(await codeOf('bob', '198.51.100.9')).toBe('sign-in.rule-refused')
  const { sql, cache, now } = server.platform
  await sql`insert into settings (name, value, updated_at) values ('access', '{"suspended": true}', ${now()})`
  await cache.invalidate(sql, 'settings')
  expect(await codeOf('bob', '198.51.100.9')).toBe('')
  expect((await root.call('/access_rule/state/')).data).toEqual({ suspended: true })
})

test('a rule applies on another node within a second, and so does the deletion of what it references', async () => {
  await addPerson(server, { account: 'ann' })
  const other = await server.secondNode()
  const lab = await range('Lab', ['10.9.0.0/16'], 'other')
  const there = async () => (await attempt(other, 'ann', PASSWORD, { from: '10.9.0.1' })).code
  expect(await there()).toBe('')
  await rule('Refused there', { where: { ranges: [lab.id] } })
  await expect.poll(there, { timeout: 1000 }).toBe('sign-in.rule-refused')
  await remove('/ip_range', lab)
  await expect.poll(there, { timeout: 1000 }).toBe('')
})

test('a second factor that a rule asks for at an application comes before its ticket, on a session too', async () => {
  await addPerson(server, { account: 'ann', category: 'student' })
  await addCasApplication(server, { appId: 'shop' })
  await addCasApplication(server, { appId: 'free' })
  const { browser } = await enterPortal(server, 'ann')
  await rule('Careful', { outcome: 'second-factor', who: { categories: ['student'] }, applications: ['shop'] })
  expect((await openService(browser, 'https://shop.test/')).location).not.toContain('ticket=')
  expect((await openService(browser, 'https://free.test/')).location).toContain('ticket=ST-')
})

test('a hop is one statement whatever the rules reference, and reads only facts that rules which may apply there need', async () => {
  let sent: string[] = []
  const counted = await startTestServer({ onStatement: (text) => sent.push(text) })
  try {
    const boss = await openPortal(counted, { isSuperUser: true, account: 'boss' })
    await addPerson(counted, { account: 'ann' })
    await addCasApplication(counted, { appId: 'shop' })
    const { browser } = await enterPortal(counted, 'ann')
    const hop = async () => {
      sent = []
      expect((await openService(browser, 'https://shop.test/')).location).toContain('ticket=ST-')
      return sent
    }
    // Notifications of earlier writes empty the caches a little later.
    const steadyHop = async () => {
      await expect.poll(async () => (await hop()).length).toBe(1)
      return sent[0]
    }
    expect(await steadyHop()).not.toContain('role_members')
    const { id } = (await boss.call<Saved>('/role/create/', { body: { code: 'guests', name: 'Guests' } })).data
    const networks = ['203.0.113.0/24']
    const range = { name: 'Elsewhere', kind: 'other', networks }
    const elsewhere = (await boss.call<Saved>('/ip_range/create/', { body: range })).data.id
    const body = { name: 'Guests', mode: 'on', outcome: 'refuse', who: { roles: [id] } }
    const addRule = async (more: object) => {
      expect((await boss.call('/access_rule/create/', { body: { ...body, ...more } })).envelope.state).toBe(200)
      await hop()
      return await steadyHop()
    }
    expect(await addRule({ name: 'Elsewhere', where: { ranges: [elsewhere] } })).not.toContain('role_members')
    sent = []
    await validateP3(counted, 'https://shop.test/', await ticketFor(browser, 'https://shop.test/'))
    expect(sent.join()).not.toContain('role_members')
    expect(await addRule({})).toContain('role_members')
  } finally {
    await counted.close()
  }
})
