import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import type { ChannelCheck, StoredRoutes } from '#shared/contract/message-routes.ts'
import { NETWORK_PROBLEMS } from '#shared/contract/network-problems.ts'
import type { VendorCheck } from '#shared/contract/vendors.ts'
import { MAIL_PROVIDERS, VENDORS } from '../../../tools/simulators/index.ts'
import { startFaultyHosts } from '../../testing/faulty-hosts.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { addVendor, VENDOR_KEYS } from '../../testing/vendors.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
let hosts: Awaited<ReturnType<typeof startFaultyHosts>>
beforeAll(async () => {
  hosts = await startFaultyHosts()
  server = await startTestServer()
  root = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

type Steps = { step: string; outcome: string; reason: string | null; code: string | null }[]
const firstFault = (steps: Steps) => steps.find(({ outcome }) => outcome === 'failed')?.reason

/** What the check of a page says of each host; all at once, because one of them is waited for. */
const faultsOf = async (check: (host: string) => Promise<Steps>) =>
  await Promise.all(hosts.map(async ([, host]) => firstFault(await check(host))))
const expected = () => hosts.map(([problem]) => problem)

const forgetChecks = () =>
  server.platform.sql`delete from ephemeral_state where kind in ('vendor-check', 'message-test')`

test.each(VENDOR_KEYS)(
  '%s: the check tells a host that refuses, fails in DNS or TLS, is slow or answers too much',
  async (key) => {
    await forgetChecks()
    const check = async (host: string) => {
      const body = { settings: VENDORS[key].settings(host) }
      const { data, envelope } = await root.call<VendorCheck>(`/vendor/${key}/check/`, { body })
      expect(envelope.code).toBeUndefined()
      return data.steps
    }
    expect(await faultsOf(check)).toEqual(expected())
  },
  60_000,
)

test.each(['exmail', 'coremail', 'alimail'] as const)(
  '%s: so does the check of mailboxes',
  async (driver) => {
    await forgetChecks()
    const check = async (host: string) => {
      const body = { settings: MAIL_PROVIDERS[driver].settings(host), rules: [] }
      const { data, envelope } = await root.call<VendorCheck>('/corporate_mailbox/check/', { body })
      expect(envelope.code).toBeUndefined()
      return data.steps
    }
    expect(await faultsOf(check)).toEqual(expected())
  },
  60_000,
)

/** A stored channel, with a message to the caller: only that has its answer read. */
async function checkChannel(channel: string): Promise<Steps> {
  await forgetChecks()
  return (await root.call<ChannelCheck>('/message_routes/check/', { body: { channel, send: true } })).data.steps
}

test.each(['sms', 'http', 'wecom', 'dingtalk'])(
  '%s: so does the check of the channel of messages',
  async (channel) => {
    const { platform } = server
    await platform.sql`update users set phone = '+8613800000001' where account = 'root'`
    const settings = { messageRoutes: { dingtalkAgentId: '1000003' } }
    await applyBootstrap(platform, { settings }, { source: 'test' })
    const found: unknown[] = []
    for (const [, host] of hosts) {
      await platform.sql`update message_gateways set failures = 0, down_until = null`
      if (channel === 'wecom') await addVendor(server, 'qywx', { settings: { apiHost: host } })
      else if (channel === 'dingtalk')
        await addVendor(server, 'dingding', { settings: { apiHost: host, oldApiHost: host } })
      else await changeGateway(channel, host)
      found.push(firstFault(await checkChannel(channel)))
    }
    expect(found).toEqual(expected())
  },
  120_000,
)

async function changeGateway(channel: string, host: string) {
  const gateway = { url: `${host}/send`, appId: 'gatehouse', secret: 's'.repeat(20) }
  if (channel === 'sms') {
    const sms = { provider: 'gateway', ...gateway }
    await applyBootstrap(server.platform, { settings: { sms } }, { source: 'test' })
    return
  }
  const { data } = await root.call<StoredRoutes>('/message_routes/details/')
  const saved = await root.call('/message_routes/save_http/', { body: { version: data.http.version, gateway } })
  expect(saved.status).toBe(200)
}

test('mail: the check tells a server that refuses, has no name, is silent, or whose certificate is not trusted', async () => {
  const found: unknown[] = []
  for (const [problem, host] of hosts) {
    const { hostname, port } = new URL(host)
    const security = problem === 'certificate' || problem === 'no-encryption' ? 'tls' : 'none'
    const mail = { host: hostname, port: Number(port) || 25, security, from: 'portal@school.test' }
    await applyBootstrap(server.platform, { settings: { mail } }, { source: 'test' })
    if (problem !== 'too-large') found.push(firstFault(await checkChannel('mail')))
  }
  expect(found).toEqual(expected().filter((problem) => problem !== 'too-large'))
}, 60_000)

test.each(SHIPPED_LANGUAGES)('each fault of a network has its own sentence in %s', (language) => {
  for (const prefix of ['vendor-fault', 'message-reason'] as const) {
    const said = NETWORK_PROBLEMS.map((problem) => server.platform.translate(language, `${prefix}.${problem}`))
    expect(new Set(said).size).toBe(NETWORK_PROBLEMS.length)
    expect(said.filter((text) => text.startsWith(prefix))).toEqual([])
  }
})
