import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAILBOX_DRIVERS, type MailboxDriver } from '#shared/contract/mailbox-settings.ts'
import type { VendorCheck } from '#shared/contract/vendors.ts'
import { MAIL_PROVIDERS } from '../../../tools/simulators/index.ts'
import { addMailboxes, BY_NUMBER } from '../../testing/mailboxes.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
let person: Portal
let lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) })
  root = await openPortal(server, { account: 'root', isSuperUser: true })
  person = await openPortal(server, { account: 'T00012' })
})
afterAll(() => server.close())

/** Those that are called, rather than signed for. */
const ASKED = MAILBOX_DRIVERS.filter((driver) => driver !== 'netease')
/** Those whose link is valid once. */
const ONE_TIME = MAILBOX_DRIVERS.filter((driver) => driver !== 'alimail')

const ADDRESS = 't00012@example.edu'

async function open() {
  lines = []
  // Clears the limits, instead of waiting a minute.
  await server.platform.sql`delete from ephemeral_state where kind in ('mailbox-link', 'vendor-check')`
  const { status, envelope, data, headers } = await person.call<{ url: string } | null>('/corporate_mailbox/open/', {
    body: {},
  })
  const faults = lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, reason, detail }) => (msg === 'mailbox link' ? [`${reason}: ${detail}`] : []))
  return { status, code: envelope.code, message: envelope.message, url: data?.url ?? '', headers, faults }
}

const follow = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, text: await answer.text() }
}

const stepsOf = async (driver: MailboxDriver, url: string, settings: object = {}) => {
  await server.platform.sql`delete from ephemeral_state where kind = 'vendor-check'`
  const given = { ...MAIL_PROVIDERS[driver].settings(url), ...settings }
  const body = { settings: given, rules: [BY_NUMBER] }
  const { data } = await root.call<VendorCheck>('/corporate_mailbox/check/', { body })
  return data.steps.map(({ step, outcome, reason, code }) => [step, outcome, reason, code].filter(Boolean).join(' '))
}

test.each(MAILBOX_DRIVERS)('%s: a click opens the clicking person’s mailbox', async (driver) => {
  await addMailboxes(server, root, driver)
  const { status, url, headers, faults } = await open()
  expect({ status, faults }).toEqual({ status: 200, faults: [] })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(await follow(url)).toMatchObject({ status: 200, text: expect.stringContaining(`Mailbox of ${ADDRESS}`) })
})

test.each(ONE_TIME)('%s: a link is valid once, for five minutes, and each click gets its own', async (driver) => {
  await addMailboxes(server, root, driver)
  const { url: first } = await open()
  expect((await follow(first)).status).toBe(200)
  expect((await follow(first)).status).toBe(403)
  server.advance(1)
  const { url: second } = await open()
  expect(second).not.toBe(first)
  server.advance(301)
  expect((await follow(second)).status).toBe(403)
})

test.each(ASKED)('%s: a missing mailbox and a disabled one are distinguished', async (driver) => {
  const simulator = await addMailboxes(server, root, driver)
  simulator.about = { [ADDRESS]: 'unknown' }
  expect(await open()).toMatchObject({ status: 409, code: 'corporate-mailbox.unknown' })
  simulator.about = { [ADDRESS]: 'stopped' }
  expect(await open()).toMatchObject({ status: 409, code: 'corporate-mailbox.stopped' })
})

const troubles = ASKED.flatMap((driver) =>
  (['slow', 'error', 'busy', 'garbage', 'html', 'huge', 'redirect', 'address'] as const).map(
    (trouble) => [driver, trouble] as const,
  ),
)
test.each(troubles)(
  '%s: %s at the provider is reported, and the next click works',
  { timeout: 20_000 },
  async (driver, trouble) => {
    const simulator = await addMailboxes(server, root, driver)
    simulator.trouble = { user: trouble }
    const away = ['slow', 'error', 'busy'].includes(trouble)
    const other = trouble === 'address' ? 'misconfigured' : 'unusable'
    const told = await open()
    expect(told).toMatchObject({ status: 502, code: `corporate-mailbox.${away ? 'unavailable' : other}` })
    expect(told.faults).toHaveLength(1)
    simulator.trouble = {}
    expect(await open()).toMatchObject({ status: 200 })
  },
)

test.each(ASKED)('%s: its token is fetched once, and renewed when it was invalidated there', async (driver) => {
  const simulator = await addMailboxes(server, root, driver)
  const fetched = () => simulator.calls.filter((call) => /token/i.test(call)).length
  await open()
  await open()
  expect(fetched()).toBe(1)
  simulator.revokeTokens()
  expect(await open()).toMatchObject({ status: 200 })
  expect(fetched()).toBe(2)
})

test.each(MAILBOX_DRIVERS)('%s: neither log nor records contain secrets or links', async (driver) => {
  await addMailboxes(server, root, driver)
  const { url } = await open()
  const [kept] = await server.platform.sql<{ text: string }[]>`
    select concat((select string_agg(a::text, '') from audit_records a), (select settings::text from corporate_mailbox)) as text`
  const all = lines.join('\n') + (kept?.text ?? '')
  const query = new URL(url).searchParams
  const codes = ['authkey', 'sid', 'enc'].flatMap((name) => query.get(name) ?? [])
  expect(codes).toHaveLength(driver === 'alimail' ? 0 : 1)
  for (const secret of [...codes, 'nothing-secret-in-a-simulator', 'PRIVATE KEY']) expect(all).not.toContain(secret)
})

test.each(ASKED)('%s: a check says for each step whether it is right, with the provider’s code', async (driver) => {
  const simulator = await addMailboxes(server, root, driver)
  expect(await stepsOf(driver, simulator.url)).toEqual(['host well', 'clock well', 'secret well', 'mailbox well'])
  const name = driver === 'alimail' ? 'clientSecret' : 'secret'
  const code = { exmail: '40001', coremail: '35', alimail: 'invalid_client' }[driver as 'exmail']
  expect(await stepsOf(driver, simulator.url, { [name]: 'wrong' })).toEqual([
    'host well',
    'clock well',
    `secret failed misconfigured ${code}`,
    'mailbox skipped',
  ])
  simulator.trouble = { token: 'address' }
  const ip = { exmail: '60020', coremail: '403', alimail: '403' }[driver as 'exmail']
  expect(await stepsOf(driver, simulator.url)).toContain(`secret failed misconfigured ${ip}`)
  simulator.trouble = {}
  simulator.about = { 'root@example.edu': 'unknown' }
  const unknown = { exmail: '60111', coremail: '19', alimail: '404' }[driver as 'exmail']
  expect(await stepsOf(driver, simulator.url)).toContain(`mailbox failed refused ${unknown}`)
})

test('netease: the check reports an invalid key', async () => {
  const simulator = await addMailboxes(server, root, 'netease')
  expect(await stepsOf('netease', simulator.url)).toEqual(['host well', 'clock well', 'secret well'])
  const privateKey = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'
  expect(await stepsOf('netease', simulator.url, { privateKey })).toContain('secret failed misconfigured bad-key')
})

test('a link leads to the configured host, whatever the provider answers', async () => {
  await addMailboxes(server, root, 'exmail', { settings: { loginHost: 'https://mail.example.edu' } })
  expect((await open()).url).toMatch(/^https:\/\/mail\.example\.edu\/cgi-bin\/login\?fun=/)
})
