import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AccessRule } from '#shared/contract/access-rules.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson, PASSWORD, postLogin } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { reauthenticate, setUpApp } from '../../testing/second-factors.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { BEHIND_PROXY, enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
beforeEach(async () => {
  server = await startTestServer(BEHIND_PROXY)
  // No login should fall on the hour at which a rule begins.
  server.advance((Date.parse('2030-03-01T00:30:00Z') - server.platform.now().getTime()) / 1000)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  for (const code of ['student', 'staff']) await root.call('/user_category/create/', { body: { code, name: code } })
  await addCasApplication(server, { appId: 'shop' })
  for (const [account, category] of PEOPLE) await addPerson(server, { account, category })
  await setPolicy(server, { captchaAfterFailures: 1000, lockAfterFailures: 1000, addressFailures: 100_000 })
})
afterEach(() => server.close())

const PEOPLE = [
  ['ann', 'student'],
  ['bob', 'staff'],
] as const

const CAMPUS = '10.1.2.3'
const OUTSIDE = '203.0.113.5'

/** Who logs in from where to what, hours after the previous one. */
type Login = readonly [account: string, from: string, appId?: string]
const LOGINS: readonly Login[] = PEOPLE.flatMap(([account]) => [
  [account, CAMPUS],
  [account, OUTSIDE],
  [account, OUTSIDE, 'shop'],
  [account, '::ffff:10.1.2.3', 'shop'],
])
const HOURS_BETWEEN = 3

const CODES: Record<string, string> = {
  'sign-in.rule-refused': 'refused',
  'sign-in.captcha-required': 'captcha',
}

/** Logs in with unknown browsers. @returns the result of each */
async function makeLogins(): Promise<string[]> {
  const outcomes: string[] = []
  for (const [username, from, appId] of LOGINS) {
    server.advance(HOURS_BETWEEN * 3600)
    const query = appId ? `?${new URLSearchParams({ service: `https://${appId}.test/` })}` : ''
    const headers = { accept: 'application/json', 'x-forwarded-for': from }
    const answer = await createBrowser(server).post(
      `/fwk_cas_service/login${query}`,
      { username, password: PASSWORD },
      headers,
    )
    const { code = '', data } = answer.json<{ code?: string; data: { redirectUrl?: string } | null }>()
    // A person without a factor is led to set one up.
    const isLed = data?.redirectUrl?.includes('/auth_web/second-factor') ?? false
    outcomes.push(isLed ? 'factor' : (CODES[code] ?? (answer.status === 200 ? 'in' : `${answer.status} ${code}`)))
  }
  return outcomes
}

type Prediction = { figures: ImpactFigure[]; isOnceOn: boolean }
async function predict(rule: object | null, id?: string) {
  const body = { ...(id && { id }), rule: rule && { mode: 'on', ...rule } }
  const { data, envelope } = await root.call<Prediction>('/policy_impact/access_rule/', { body })
  if (envelope.state !== 200) throw new Error(envelope.code)
  return { ...data, counts: Object.fromEntries(data.figures.map(({ key, count }) => [key, count])) }
}
const make = async (path: string, body: object) => (await root.call<AccessRule>(`${path}/create/`, { body })).data
const enter = async () => {
  root = await openPortal(server, { isSuperUser: true })
}

/** How many logins ended in this way and did not before. */
const newly = (outcome: string, before: readonly string[], after: readonly string[]) =>
  after.filter((one, at) => one === outcome && before[at] !== outcome).length

const FIGURES = {
  refused: 'logins-refused',
  factor: 'logins-factor',
  captcha: 'logins-captcha',
} as const

test.each([
  ['everybody off campus', { outcome: 'refuse', where: { kinds: ['campus'], place: 'outside' } }],
  ['students at an application', { outcome: 'refuse', who: { categories: ['student'] }, applications: ['shop'] }],
  ['nights', { outcome: 'refuse', when: { from: '00:00', to: '08:00', zone: 'Asia/Shanghai' } }],
  [
    'a second factor',
    { outcome: 'second-factor', who: { categories: ['student'] }, where: { kinds: ['campus'], place: 'outside' } },
  ],
  ['a captcha', { outcome: 'captcha', where: { kinds: ['campus'] } }],
])(
  'the predicted effect of a rule about %s is what happens when it is published and the same logins are repeated',
  async (name, rule) => {
    await make('/ip_range', { name: 'Campus', kind: 'campus', networks: ['10.0.0.0/8', '127.0.0.0/8'] })
    const before = await makeLogins()
    expect(new Set(before)).toEqual(new Set(['in']))
    await enter()
    const { counts, isOnceOn } = await predict(rule)
    expect(isOnceOn).toBe(false)
    expect(await predict({ ...rule, mode: 'report' })).toMatchObject({ counts, isOnceOn: true })
    expect((await predict({ ...rule, mode: 'off' })).figures).toEqual([])

    const made = await make('/access_rule', { name, mode: 'on', ...rule })
    expect(made.mode).toBe('on')
    // The same hours of the day.
    server.advance(24 * 3600)
    const after = await makeLogins()
    for (const [outcome, key] of Object.entries(FIGURES))
      expect([key, counts[key] ?? 0]).toEqual([key, newly(outcome, before, after)])
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)

    await enter()
    expect((await predict(rule, made.id)).figures).toEqual([])
  },
)

test('deleting a rule lets in whom it rejected, and asks no more what it asked', async () => {
  const refuse = await make('/access_rule', {
    name: 'r',
    mode: 'on',
    outcome: 'refuse',
    who: { categories: ['student'] },
    applications: ['shop'],
  })
  const ask = await make('/access_rule', {
    name: 's',
    mode: 'on',
    outcome: 'second-factor',
    who: { categories: ['staff'] },
  })
  const before = await makeLogins()
  await enter()
  expect((await predict(null, refuse.id)).counts).toEqual({ 'logins-let-in': newly('refused', [], before) })
  const { figures, counts } = await predict(null, ask.id)
  expect(counts).toEqual({ 'logins-factor-spared': 4 })
  expect(figures[0]?.rows.map(({ person, application, ip }) => [person.account, application, ip])).toEqual([
    ['bob', 'shop', CAMPUS],
    ['bob', 'shop', OUTSIDE],
    ['bob', null, OUTSIDE],
    ['bob', null, CAMPUS],
  ])
  expect((await predict({ outcome: 'notify' }, ask.id)).counts).toMatchObject({ 'logins-factor-spared': 4 })
})

const predictRange = async (range: object | null, id?: string) => {
  const body = { ...(id && { id }), range }
  const { data, envelope } = await root.call<Pick<Prediction, 'figures'>>('/policy_impact/ip_range/', { body })
  if (envelope.state !== 200) throw new Error(envelope.code)
  return { ...data, counts: Object.fromEntries(data.figures.map(({ key, count }) => [key, count])) }
}

const CAMPUS_RANGE = { kind: 'campus', networks: ['10.0.0.0/8', '127.0.0.0/8'] }

test.each([
  ['is of another kind', { ...CAMPUS_RANGE, kind: 'trusted' }],
  ['loses a network', { ...CAMPUS_RANGE, networks: ['127.0.0.0/8'] }],
  ['is switched off', { ...CAMPUS_RANGE, enabled: false }],
])(
  'the predicted effect of a range that %s is what happens when it is saved and the same logins are repeated',
  async (_, range) => {
    const campus = await make('/ip_range', { name: 'Campus', ...CAMPUS_RANGE })
    await make('/ip_range', { name: 'Home', kind: 'other', networks: ['127.0.0.0/24'] })
    const where = { kinds: ['campus'], place: 'outside' }
    await make('/access_rule', { name: 'Shop', mode: 'on', outcome: 'refuse', where, applications: ['shop'] })
    await make('/access_rule', {
      name: 'Students',
      mode: 'on',
      outcome: 'second-factor',
      where,
      who: { categories: ['student'] },
    })
    const before = await makeLogins()
    await enter()
    const { counts, figures } = await predictRange(range, campus.id)
    expect(counts['logins-place']).toBe(4)
    const kind = 'kind' in range && range.kind === 'trusted' ? { name: 'Campus', kind: 'trusted' } : null
    expect(figures.at(-1)?.rows[0]?.places).toEqual({ before: { name: 'Campus', kind: 'campus' }, after: kind })
    const body = { name: 'Campus', ...range, version: campus.version }
    expect((await root.call(`/ip_range/${campus.id}/update/`, { body })).envelope.state).toBe(200)
    server.advance(24 * 3600)
    const after = await makeLogins()
    for (const [outcome, key] of Object.entries(FIGURES))
      expect([key, counts[key] ?? 0]).toEqual([key, newly(outcome, before, after)])
    expect([counts['logins-refused'], counts['logins-factor']]).toEqual([2, 1])
  },
)

test('a new range takes from others by the smallest network, and a deleted one returns them', async () => {
  const campus = await make('/ip_range', { name: 'Campus', ...CAMPUS_RANGE })
  await makeLogins()
  await enter()
  const inner = await predictRange({ kind: 'other', networks: ['10.1.0.0/16'] })
  expect(inner.counts).toEqual({ 'logins-place': 4 })
  expect(inner.figures[0]?.rows[0]?.places).toEqual({
    before: { name: 'Campus', kind: 'campus' },
    after: { name: null, kind: 'other' },
  })
  expect((await predictRange({ kind: 'other', networks: ['0.0.0.0/0'] })).counts).toEqual({ 'logins-place': 4 })
  expect((await predictRange(null, campus.id)).counts).toEqual({ 'logins-place': 4 })
  expect((await predictRange({ kind: 'other', networks: ['10.1.0.0/16'], enabled: false })).counts).toEqual({})
  await expect(predictRange({ kind: 'other', networks: ['10.1.0.0/x'] })).rejects.toThrow('ip-range.bad-network')
  await expect(predictRange(null, '00000000-0000-4000-8000-00000000dead')).rejects.toThrow('resource.not-found')
})

test('of people with the same department and category only those with the role or secondary department are counted', async () => {
  const { sql } = server.platform
  for (const account of ['cat', 'dan']) await addPerson(server, { account, category: 'student' })
  const [role] = await sql<{ id: string }[]>`
    insert into roles (id, code, name) values (gen_random_uuid(), 'lab', 'Lab') returning id`
  const [lab] = await sql<{ id: string }[]>`
    insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
    select id, 'lab', 'Lab', array[id], now(), now() from (select gen_random_uuid() as id) o returning id`
  await sql`insert into role_members (role_id, user_id) select ${role?.id ?? ''}, id from users where account = 'ann'`
  await sql`
    insert into user_organizations (user_id, organization_id) select id, ${lab?.id ?? ''} from users where account = 'cat'`
  for (const account of ['ann', 'cat', 'dan']) {
    server.advance(3600)
    expect((await postLogin(createBrowser(server), { username: account })).status).toBe(200)
  }
  await enter()
  const whom = async (who: object) =>
    (await predict({ outcome: 'refuse', who })).figures.flatMap(({ rows }) => rows.map(({ person }) => person.account))
  expect(await whom({ roles: [role?.id] })).toEqual(['ann'])
  expect(await whom({ organizations: [lab?.id] })).toEqual(['cat'])
  await sql`
    insert into appointments (id, user_id, organization_id, permissions, created_at, updated_at)
    select gen_random_uuid(), id, ${lab?.id ?? ''}, '{}', now(), now() from users where account = 'dan'`
  expect(await whom({ administrators: true })).toEqual(['dan'])
  await sql`insert into role_member_groups (role_id, kind, subject_id) select ${role?.id ?? ''}, 'organization', ${lab?.id ?? ''}`
  expect(await whom({ roles: [role?.id] })).toEqual(['cat', 'ann'])
})

test('a person with an authenticator app is asked for it anyway and is not counted', async () => {
  const page = await enterPortal(server, 'ann')
  await reauthenticate(page)
  await setUpApp(server, page)
  await makeLogins()
  await enter()
  const asked = (await predict({ outcome: 'second-factor' })).figures[0]
  expect([asked?.count, asked?.people]).toEqual([4, 1])
  expect(new Set(asked?.rows.map(({ person }) => person.account))).toEqual(new Set(['bob']))
})

test('a reference that a prediction can not evaluate is rejected by name, and nothing is written', async () => {
  const { sql } = server.platform
  const lines = async () => (await sql`select from audit_records`).length
  const before = await lines()
  const rule = { mode: 'on', outcome: 'refuse' }
  const ask = async (body: object) => (await root.call('/policy_impact/access_rule/', { body })).envelope.code
  expect(await ask({ rule: { ...rule, when: { zone: 'Mars/Olympus' } } })).toBe('access-rule.zone-unknown')
  expect(await ask({ rule: null, id: '00000000-0000-4000-8000-00000000dead' })).toBe('resource.not-found')
  expect(await ask({ rule: { ...rule, name: 'x' } })).toBe('request.invalid')
  await predict(rule)
  expect(await lines()).toBe(before)
})
