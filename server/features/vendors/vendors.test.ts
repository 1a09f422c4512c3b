import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Vendor, VendorCheck } from '#shared/contract/vendors.ts'
import { type Simulator, startSimulator, VENDORS, WE_CHAT_ACCOUNT } from '../../../tools/simulators/index.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { addVendor, bindNewPerson, isIn, logInAt, VENDOR_KEYS, type VendorKey } from '../../testing/vendors.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

const USE = { enabled: true, position: 1, unbound: 'bind', matchAccount: false }

/** Nothing is set up, and nobody has checked. */
async function simulate(key: VendorKey): Promise<{ simulator: Simulator; settings: Record<string, unknown> }> {
  await server.platform.sql`delete from third_party_providers`
  await server.platform.sql`delete from ephemeral_state where kind = 'vendor-check'`
  const simulator = await startSimulator(VENDORS[key], { trustedOrigin: server.url, now: server.platform.now })
  onTestFinished(() => simulator.close())
  return { simulator, settings: VENDORS[key].settings(simulator.url) }
}

const read = async (key: VendorKey) => (await root.call<Vendor>(`/vendor/${key}/details/`)).data
const save = (key: VendorKey, body: object) =>
  root.call<Vendor>(`/vendor/${key}/update/`, { body: { ...USE, ...body } })
const check = async (key: VendorKey, settings: object) =>
  (await root.call<VendorCheck>(`/vendor/${key}/check/`, { body: { settings } })).data.steps

const SECRETS = {
  qywx: 'secret',
  dingding: 'clientSecret',
  weChat: 'secret',
  qq: 'appKey',
  'auth-edu': 'clientSecret',
} as const

test.each(VENDOR_KEYS)(
  '%s: set up on its page, it is on the login page at once, and its secret is never shown',
  async (key) => {
    const { simulator, settings } = await simulate(key)
    expect(await read(key)).toMatchObject({ version: 0, settings: null, isSetByFile: false })
    const saved = await save(key, { version: 0, settings })
    expect(saved).toMatchObject({ status: 200, data: { version: 1, settings: { [SECRETS[key]]: '******' } } })
    expect(saved.data.callbackUrl).toBe(`${server.url}/auth_service/third_party/${key}/callback`)
    const start = await createBrowser(server).get(`/auth_service/third_party/${key}/login/`)
    expect(start.location).toContain(simulator.url)
    expect(await logInAt(server, createBrowser(server), key)).toMatchObject({ status: 200 })
    const kept = await server.platform.sql<{ text: string }[]>`
    select string_agg(coalesce(before::text, '') || coalesce(after::text, ''), '') as text from audit_records`
    expect(kept[0]?.text).not.toContain('nothing-secret-in-a-simulator')
  },
)

test.each([
  ['qywx', 'corpId'],
  ['auth-edu', 'clientId'],
] as const)(
  '%s: it shows how many people are known by a setting, and would not be with another one',
  async (key, name) => {
    const { settings } = await simulate(key)
    await save(key, { version: 0, settings })
    expect((await read(key)).knownBy).toEqual({})
    await bindNewPerson(server, key)
    expect((await read(key)).knownBy).toEqual({ [name]: 1 })
    await server.platform
      .sql`update users set deleted_at = now() where id in (select user_id from third_party_accounts)`
    expect((await read(key)).knownBy).toEqual({})
  },
)

test('a stored secret is sent to no other host, application or corporation than it was entered for', async () => {
  const { settings } = await simulate('qywx')
  await save('qywx', { version: 0, settings })
  const stars = { ...settings, secret: '******' }
  for (const other of [{ apiHost: 'https://evil.example' }, { corpId: 'wwother' }, { agentId: '7' }]) {
    const changed = await save('qywx', { version: 1, settings: { ...stars, ...other } })
    expect(changed.envelope.code).toBe('settings.secret-needed')
    const checked = await root.call('/vendor/qywx/check/', { body: { settings: { ...stars, ...other } } })
    expect(checked.envelope.code).toBe('settings.secret-needed')
  }
  expect(await save('qywx', { version: 1, position: 5, settings: stars })).toMatchObject({
    status: 200,
    data: { position: 5 },
  })
  expect((await check('qywx', stars)).map(({ outcome }) => outcome)).not.toContain('failed')
})

test.each(VENDOR_KEYS)('%s: its secret is removed once nobody can log in with it, and only that', async (key) => {
  const { settings } = await simulate(key)
  const name = SECRETS[key]
  const masked = { ...settings, [name]: '******' }
  await save(key, { version: 0, settings })
  const remove = (version: number) => root.call<Vendor>(`/vendor/${key}/remove_secrets/`, { body: { version } })
  const used = await remove(1)
  expect(used).toMatchObject({
    status: 409,
    envelope: { code: 'vendor.in-use', message: expect.stringMatching(/off/) },
  })
  await save(key, { version: 1, enabled: false, settings: masked })
  expect((await remove(1)).envelope.code).toBe('version.conflict')
  const { status, data } = await remove(2)
  const { [name]: _, ...rest } = settings
  expect([status, data.version, data.settings?.[name]]).toEqual([200, 3, undefined])
  expect(data.settings).toMatchObject(rest)
  const [row] = await server.platform.sql`select secrets from third_party_providers where key = ${key}`
  expect(row).toEqual({ secrets: null })
  const [kept] = await server.platform.sql`
    select action, before, after from audit_records where target_id = ${key} order by at desc, id desc limit 1`
  const sides = { before: { [name]: '******' }, after: { [name]: '' } }
  expect(kept).toEqual({ action: 'vendor.remove-secrets', ...sides })
  expect((await remove(3)).envelope.code).toBe('vendor.no-secret')
  // The mask stands for nothing any more.
  expect((await save(key, { version: 3, settings: masked })).envelope.code).toBe('settings.secret-needed')
  expect(await save(key, { version: 3, settings })).toMatchObject({ status: 200, data: { version: 4 } })
})

test('an editor who saves after somebody else is shown their change', async () => {
  const { settings } = await simulate('qq')
  await save('qq', { version: 0, settings })
  const late = await save('qq', { version: 0, settings })
  expect(late).toMatchObject({ status: 409, envelope: { code: 'version.conflict' } })
})

test('what is wrong in the form is named by its field', async () => {
  await simulate('qywx')
  const refused = await save('qywx', { version: 0, settings: { corpId: '', agentId: 'x', secret: 's' } })
  expect(refused).toMatchObject({ status: 400, envelope: { code: 'request.invalid' } })
  expect(JSON.stringify(refused.envelope)).toMatch(/settings\.corpId.*settings\.agentId/)
})

test('what is wrong in the form is said in words for a person, not for a program', async () => {
  const { settings } = await simulate('weChat')
  const given = { ...settings, appId: 'wx 1', apiHost: 'api.example', accountAppId: 'wx2' }
  const { envelope } = await save('weChat', { version: 0, settings: given })
  expect(envelope.data).toEqual({
    fields: [
      { field: 'settings.appId', reason: 'Invalid format. Please check the characters.' },
      { field: 'settings.apiHost', reason: 'Enter an address such as https://host, without a path.' },
      { field: 'settings.accountSecret', reason: 'Fill in both, or neither.' },
    ],
  })
})

test('a vendor of the bootstrap file is shown read-only', async () => {
  await server.platform.sql`delete from third_party_providers`
  await addVendor(server, 'qq')
  await server.platform.sql`update third_party_providers set set_by_file = true`
  const { settings, isSetByFile, version } = await read('qq')
  expect(isSetByFile).toBe(true)
  expect(await save('qq', { version, settings })).toMatchObject({
    status: 409,
    envelope: { code: 'settings.set-by-file', message: expect.stringMatching(/^“thirdPartyProviders\.qq” is set by/) },
  })
})

test('a vendor is rolled back from the history, with its secret', async () => {
  const { settings } = await simulate('dingding')
  await save('dingding', { version: 0, settings })
  await save('dingding', { version: 1, enabled: false, settings: { ...settings, clientSecret: '******' } })
  expect((await read('dingding')).enabled).toBe(false)
  const [line] = await server.platform.sql<{ id: string; at: Date }[]>`
    select id, at from audit_records where target_kind = 'vendor' and target_id = 'dingding' order by at desc, id desc limit 1`
  const back = await root.call(`/change_history/${line?.id}/roll_back/`, {
    body: { at: line?.at.toISOString(), side: 'before', version: 2, reason: 'Test' },
  })
  expect(back.status).toBe(200)
  expect((await read('dingding')).enabled).toBe(true)
  expect(await logInAt(server, createBrowser(server), 'dingding')).toMatchObject({ status: 200 })
})

test('a user id that is an account here is linked automatically if enabled, and a super user’s never', async () => {
  const { settings } = await simulate('qywx')
  await save('qywx', { version: 0, matchAccount: true, settings })
  await addPerson(server, { account: 'lilei' })
  await addPerson(server, { account: 'hanmeimei', isSuperUser: true })
  const browser = createBrowser(server)
  await logInAt(server, browser, 'qywx')
  expect(isIn(browser)).toBe(true)
  const other = createBrowser(server)
  await logInAt(server, other, 'qywx', 'HanMeimei')
  expect(isIn(other)).toBe(false)
})

test.each(VENDOR_KEYS)('%s: a check of correct settings reports no problem', async (key) => {
  const { settings } = await simulate(key)
  const steps = await check(key, settings)
  const isUnclear = ({ step }: { step: string }) => key === 'auth-edu' && step === 'secret'
  // Nobody has set them up.
  const isIdle = ({ step }: { step: string }) => step === 'events'
  // A code of the platform's own for a made-up login: what it is about only its manual tells.
  expect(steps.map(({ outcome }) => outcome)).toEqual(
    steps.map((one) => (isUnclear(one) || isIdle(one) ? 'skipped' : 'well')),
  )
  expect(steps.find(isUnclear)).toEqual(
    key === 'auth-edu' ? { step: 'secret', outcome: 'skipped', reason: 'unclear', code: '40029' } : undefined,
  )
  expect(steps.slice(0, 3).map(({ step }) => step)).toEqual(['host', 'clock', 'secret'])
})

const faults: [VendorKey, string, object, object, object][] = [
  ['qywx', 'secret', { secret: 'wrong' }, {}, { reason: 'misconfigured', code: '40001' }],
  ['qywx', 'secret', { corpId: 'wwother' }, {}, { reason: 'misconfigured', code: '40013' }],
  ['qywx', 'application', { agentId: '99' }, {}, { reason: 'misconfigured', code: '40056' }],
  ['qywx', 'application', {}, { about: { close: 1 } }, { reason: 'misconfigured', code: '50003' }],
  [
    'qywx',
    'range',
    {},
    { about: { allow_userinfos: {}, allow_partys: {} } },
    { reason: 'misconfigured', code: 'no-range' },
  ],
  ['qywx', 'callback', {}, { about: { redirect_domain: 'other.edu' } }, { reason: 'misconfigured', code: '50001' }],
  ['qywx', 'secret', {}, { trouble: { token: 'address' } }, { reason: 'misconfigured', code: '60020' }],
  ['qywx', 'secret', {}, { trouble: { token: 'busy' } }, { reason: 'unavailable', code: '-1' }],
  ['qywx', 'secret', {}, { trouble: { token: 'html' } }, { reason: 'unusable', code: null }],
  ['qywx', 'secret', {}, { trouble: { token: 'huge' } }, { reason: 'too-large' }],
  ['dingding', 'secret', { clientSecret: 'wrong' }, {}, { reason: 'misconfigured', code: '40089' }],
  ['dingding', 'corporation', { corpId: 'dingunknown' }, {}, { reason: 'misconfigured', code: 'unknownError' }],
  ['dingding', 'corporation', { corpId: 'dingother' }, {}, { reason: 'misconfigured', code: 'unauthorized.client' }],
  ['weChat', 'secret', { secret: 'wrong' }, {}, { reason: 'misconfigured', code: '40125' }],
  ['weChat', 'secret', {}, { trouble: { token: 'address' } }, { reason: 'misconfigured', code: '40164' }],
  ['qywx', 'secret', {}, { trouble: { token: 'empty' } }, { reason: 'unusable', code: null }],
  ['qywx', 'application', {}, { trouble: { member: 'empty' } }, { reason: 'unusable', code: null }],
  ['dingding', 'secret', {}, { trouble: { token: 'empty' } }, { reason: 'unusable', code: null }],
  ['dingding', 'permission', {}, { trouble: { member: 'empty' } }, { reason: 'unusable', code: null }],
  ['weChat', 'secret', {}, { trouble: { token: 'empty' } }, { reason: 'unusable', code: null }],
  ['weChat', 'account', { ...WE_CHAT_ACCOUNT, accountSecret: 'wrong' }, {}, { reason: 'misconfigured', code: '40125' }],
  ['qq', 'secret', {}, { trouble: { token: 'empty' } }, { reason: 'unusable', code: null }],
  ['auth-edu', 'secret', {}, { trouble: { token: 'empty' } }, { reason: 'unusable', code: null }],
  ['qq', 'secret', { appKey: 'wrong' }, {}, { reason: 'misconfigured', code: '100009' }],
]
test.each(faults)(
  '%s: a check says at the step "%s" what is wrong (%j, %j)',
  async (key, step, given, atVendor, told) => {
    const { simulator, settings } = await simulate(key)
    Object.assign(simulator, atVendor)
    const steps = await check(key, { ...settings, ...given })
    expect(steps.find(({ outcome }) => outcome === 'failed')).toMatchObject({ step, outcome: 'failed', ...told })
  },
)

test.each(['error', 'busy', 'html', 'empty', 'slow', 'address'] as const)(
  'dingding: a CorpId that can’t be checked (%s) is neither right nor wrong, and the other steps go on',
  async (trouble) => {
    const { simulator, settings } = await simulate('dingding')
    simulator.trouble.corporation = trouble
    const steps = await check('dingding', settings)
    const found = { outcome: 'skipped', reason: 'unclear', code: 'no-answer' }
    expect(steps.find(({ step }) => step === 'corporation')).toEqual({ step: 'corporation', ...found })
    expect(steps.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(steps.find(({ step }) => step === 'permission')?.outcome).toBe('well')
  },
)

test('dingding: one fault of its own while the CorpId is checked is asked again', async () => {
  const { simulator, settings } = await simulate('dingding')
  const asked = () => simulator.calls.filter((call) => call.endsWith('/token')).length
  Object.defineProperty(simulator.trouble, 'corporation', { get: () => (asked() < 2 ? 'error' : undefined) })
  const steps = await check('dingding', settings)
  expect(steps.find(({ step }) => step === 'corporation')?.outcome).toBe('well')
  expect(asked()).toBe(2)
})

test.each(['qywx', 'dingding', 'weChat', 'qq'] as const)(
  '%s: a check notices that the API host is another server, although it answers',
  async (key) => {
    const { settings } = await simulate(key)
    const elsewhere = await startSimulator(VENDORS[key === 'qq' ? 'weChat' : 'qq'], { trustedOrigin: server.url })
    onTestFinished(() => elsewhere.close())
    for (const apiHost of [elsewhere.url, server.url]) {
      const steps = await check(key, { ...settings, apiHost })
      expect(steps.find(({ outcome }) => outcome === 'failed')).toEqual({
        step: 'secret',
        outcome: 'failed',
        reason: 'unusable',
        code: '404',
      })
    }
  },
)

test('qywx: what depends on the application is not checked without one', async () => {
  const { settings } = await simulate('qywx')
  const steps = await check('qywx', { ...settings, agentId: '99' })
  expect(steps.filter(({ outcome }) => outcome === 'failed').map(({ step }) => step)).toEqual(['application'])
})

test('too many checks are rate-limited, because vendors stop answering otherwise', async () => {
  const { settings } = await simulate('qq')
  let last = 200
  for (let times = 0; times < 31 && last === 200; times++) {
    last = (await root.call('/vendor/qq/check/', { body: { settings } })).status
  }
  expect(last).toBe(429)
})
