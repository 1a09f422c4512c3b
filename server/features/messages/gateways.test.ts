import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { replaceFileKeys } from '../../platform/settings.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'

let server: TestServer
let root: Portal

beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

const MAIL = {
  host: 'smtp.school.test',
  port: 587,
  security: 'starttls',
  user: 'portal',
  password: 'Mail-secret-1',
  from: 'portal@school.test',
}

type Shown = { version: number; gateway: Record<string, unknown> | null; isDown: boolean }
const shown = async () => (await root.call<{ mail: Shown; sms: Shown }>('/message_gateways/query/')).data
const save = (kind: 'mail' | 'sms', body: object) => root.call(`/message_gateways/save_${kind}/`, { body })

test('a stored secret is shown masked, kept when the mask is sent back, and changed only by whoever saw the newest version', async () => {
  const { mail } = await shown()
  expect(mail.gateway).toBeNull()
  expect((await save('mail', { version: mail.version, gateway: MAIL })).status).toBe(200)
  const stored = await shown()
  expect(stored.mail.gateway).toEqual({ ...MAIL, password: '******' })
  expect((await save('mail', { version: mail.version, gateway: MAIL })).envelope.code).toBe('version.conflict')
  const renamed = { ...MAIL, password: '******', from: 'office@school.test' }
  expect((await save('mail', { version: stored.mail.version, gateway: renamed })).status).toBe(200)
  const arrivals = await startMailServer({ login: { user: 'portal', password: 'Mail-secret-1' } })
  onTestFinished(() => arrivals.close())
  const own = { ...MAIL, host: '127.0.0.1', port: arrivals.port, security: 'none' }
  const { version } = (await shown()).mail
  expect((await save('mail', { version, gateway: own })).status).toBe(200)
  const body = { gateway: { ...own, password: '******' }, to: 'me@school.test' }
  expect((await root.call('/message_gateways/test_mail/', { body })).data).toMatchObject({ sent: true })
  expect(arrivals.arrived).toHaveLength(1)
})

test.each([
  ['host', { host: 'evil.test' }],
  ['port', { port: 25 }],
  ['user', { user: 'someone' }],
  ['weaker encryption', { security: 'none' }],
])('a stored password is never sent to another %s: it must be entered again', async (_what, change) => {
  const { version } = (await shown()).mail
  await save('mail', { version, gateway: MAIL })
  const gateway = { ...MAIL, ...change, password: '******' }
  const next = (await shown()).mail.version
  expect((await save('mail', { version: next, gateway })).envelope.code).toBe('settings.secret-needed')
  const tested = await root.call('/message_gateways/test_mail/', { body: { gateway, to: 'me@school.test' } })
  expect(tested.envelope.code).toBe('settings.secret-needed')
})

test.each(['aliyun', 'tencent', 'gateway'] as const)('the key of %s is sent nowhere else either', async (kind) => {
  const provider = await startSmsProvider(kind, () => server.platform.now())
  onTestFinished(() => provider.close())
  const { gateway } = provider
  const { version } = (await shown()).sms
  expect((await save('sms', { version, gateway })).status).toBe(200)
  const stored = (await shown()).sms
  expect(JSON.stringify(stored)).not.toContain('Gatehouse-secret')
  const kept = { gateway: stored.gateway, to: '13800000001' }
  expect((await root.call('/message_gateways/test_sms/', { body: kept })).data).toMatchObject({ sent: true })
  const elsewhere = { version: stored.version, gateway: { ...stored.gateway, url: 'https://evil.test/' } }
  expect((await save('sms', elsewhere)).envelope.code).toBe('settings.secret-needed')
})

test('a gateway of the bootstrap file is refused as such, with another host too, before a secret is asked for', async () => {
  const { version } = (await shown()).mail
  await save('mail', { version, gateway: MAIL })
  await replaceFileKeys(server.platform.sql, { mail: ['sealed'] })
  onTestFinished(() => replaceFileKeys(server.platform.sql, {}))
  const { mail } = await shown()
  for (const change of [{ host: 'other.test' }, { from: 'office@school.test' }]) {
    const gateway = { ...MAIL, ...change, password: '******' }
    const refused = await save('mail', { version: mail.version, gateway })
    expect(refused).toMatchObject({ status: 409, envelope: { code: 'settings.set-by-file' } })
    expect(refused.envelope.message).toContain('“mail” is set by the bootstrap file')
  }
  expect((await shown()).mail).toEqual(mail)
})

test('a change is audited without its secret, and nobody but a super user sees or changes anything', async () => {
  const { version } = (await shown()).mail
  await save('mail', { version, gateway: MAIL })
  const rows = await server.platform.sql<{ line: string }[]>`
    select a::text as line from audit_records a where action = 'message-gateway.change'`
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ line }) => line).join()).not.toMatch(/Mail-secret|Gatehouse-secret/)
  const person = await openPortal(server, { account: 'person' })
  expect((await person.call('/message_gateways/query/')).status).toBe(403)
  expect((await person.call('/message_gateways/save_mail/', { body: { version: 0, gateway: null } })).status).toBe(403)
})

test('a message is never sent to a metadata address, whatever the settings say', async () => {
  const body = {
    gateway: { provider: 'gateway', url: 'http://169.254.169.254/latest', appId: 'a', secret: 'b-secret' },
    to: '13800000001',
  }
  expect((await root.call('/message_gateways/test_sms/', { body })).data).toMatchObject({
    sent: false,
    reason: 'forbidden-address',
  })
})
