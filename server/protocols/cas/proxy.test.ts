import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../../testing/authority.ts'
import type { Browser } from '../../testing/browser.ts'
import { callCas, ticketFor } from '../../testing/cas.ts'
import { casDocument } from '../../testing/cas-schema.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type Hit, startService } from '../../testing/service.ts'

const trusted = getCACertificates('default')
const authority = createAuthority()

let server: TestServer
let browser: Browser

beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority.certificate])
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addCasApplication(server, { appId: 'backend' })
  await addCasApplication(server, { appId: 'plain', proxyCallbackUrls: ['https://127.0.0.1/**'] })
  browser = await logIn(server, '20260001')
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await server.close()
})

const BACKEND = 'https://backend.test/api'

/** An application that may proxy, with a real https callback that stores what it receives. */
async function proxyApplication(appId: string, reply?: Parameters<typeof startService>[0] extends infer O ? O : never) {
  const service = await startService({ tls: authority.issue(), ...reply })
  await addCasApplication(server, { appId, proxy: true, proxyCallbackUrls: [`${service.url}**`] })
  return { home: `https://${appId}.test/`, pgtUrl: `${service.url}pgt?app=${appId}`, hits: service.hits, service }
}

const pgtIn = (hits: Hit[]) => hits.at(-1)?.url.searchParams.get('pgtId') ?? ''
const iouIn = (text: string) => /<cas:proxyGrantingTicket>(.*)<\/cas:proxyGrantingTicket>/.exec(text)?.[1] ?? null
const ptIn = (text: string) => /<cas:proxyTicket>(.*)<\/cas:proxyTicket>/.exec(text)?.[1] ?? ''

async function validated(home: string, pgtUrl: string, who = browser) {
  return callCas(server, '/serviceValidate', { service: home, ticket: await ticketFor(who, home), pgtUrl })
}

test('a registered callback gets the ticket, the answer only its name, and neither reveals the other', async () => {
  const app = await proxyApplication('portal-a')
  const answer = await validated(app.home, app.pgtUrl)
  casDocument(answer.text)
  const iou = iouIn(answer.text) ?? ''
  const { url, method } = app.hits[0] ?? { url: new URL(app.home), method: '' }
  expect([method, url.searchParams.get('app'), url.searchParams.get('pgtIou')]).toEqual(['GET', 'portal-a', iou])
  expect(iou).toMatch(/^PGTIOU-[A-Za-z0-9]{57}$/)
  expect(pgtIn(app.hits)).toMatch(/^PGT-[A-Za-z0-9]{60}$/)
  expect(answer.text).not.toContain(pgtIn(app.hits))
  const rows = await server.platform.sql`select p::text from proxy_granting_tickets p`
  expect(JSON.stringify(rows)).not.toContain(pgtIn(app.hits))
})

test('a proxy ticket works once, for its target, at proxyValidate only', async () => {
  const app = await proxyApplication('portal-b')
  await validated(app.home, app.pgtUrl)
  const pgt = pgtIn(app.hits)
  const get = async () => ptIn((await callCas(server, '/proxy', { pgt, targetService: BACKEND })).text)
  const ticket = await get()
  expect(ticket).toMatch(/^PT-[A-Za-z0-9]{29}$/)
  const answer = await callCas(server, '/p3/proxyValidate', { service: BACKEND, ticket })
  const document = casDocument(answer.text)
  expect([document.get('//cas:user'), document.get('//cas:proxy')]).toEqual([['20260001'], [app.pgtUrl]])
  expect(document.get('//cas:isFromNewLogin')).toEqual(['false'])
  expect((await callCas(server, '/proxyValidate', { service: BACKEND, ticket })).code).toBe('INVALID_TICKET')
  expect((await callCas(server, '/proxyValidate', { service: app.home, ticket: await get() })).code).toBe(
    'INVALID_SERVICE',
  )
  const atService = await callCas(server, '/serviceValidate', { service: BACKEND, ticket: await get() })
  expect(atService.code).toBe('INVALID_TICKET')
  expect(atService.text).toContain('proxy ticket')
  expect((await callCas(server, '/validate', { service: BACKEND, ticket: await get() })).text).toBe('no\n\n')
  const renew = await callCas(server, '/proxyValidate', { service: BACKEND, ticket: await get(), renew: 'true' })
  expect(renew.code).toBe('INVALID_TICKET')
})

test('proxyValidate takes service tickets too', async () => {
  const answer = await callCas(server, '/proxyValidate', {
    service: BACKEND,
    ticket: await ticketFor(browser, BACKEND),
  })
  expect(answer.user).toBe('20260001')
  expect(answer.text).not.toContain('proxies')
})

test('a chain of two names the most recent proxy first', async () => {
  const outer = await proxyApplication('outer')
  const inner = await proxyApplication('inner')
  await validated(outer.home, outer.pgtUrl)
  const first = await callCas(server, '/proxy', { pgt: pgtIn(outer.hits), targetService: inner.home })
  const middle = await callCas(server, '/proxyValidate', {
    service: inner.home,
    ticket: ptIn(first.text),
    pgtUrl: inner.pgtUrl,
  })
  expect(iouIn(middle.text)).toMatch(/^PGTIOU-/)
  const second = await callCas(server, '/proxy', { pgt: pgtIn(inner.hits), targetService: BACKEND })
  const answer = await callCas(server, '/proxyValidate', {
    service: BACKEND,
    ticket: ptIn(second.text),
    format: 'JSON',
  })
  expect(JSON.parse(answer.text)).toEqual({
    serviceResponse: { authenticationSuccess: { user: '20260001', proxies: [inner.pgtUrl, outer.pgtUrl] } },
  })
})

test('proxy tickets end with the login: granting tickets, and issued ones', async () => {
  const app = await proxyApplication('portal-c')
  const own = await logIn(server, '20260001')
  await validated(app.home, app.pgtUrl, own)
  const pgt = pgtIn(app.hits)
  const pending = ptIn((await callCas(server, '/proxy', { pgt, targetService: BACKEND })).text)
  await own.get('/fwk_cas_service/logout')
  expect((await callCas(server, '/proxy', { pgt, targetService: BACKEND })).code).toBe('INVALID_TICKET')
  expect((await callCas(server, '/proxyValidate', { service: BACKEND, ticket: pending })).code).toBe('INVALID_TICKET')
})

test('an application that may not proxy gets none, and neither does one that lost the right', async () => {
  expect((await validated('https://plain.test/', 'https://127.0.0.1/pgt')).code).toBe('UNAUTHORIZED_SERVICE_PROXY')
  const app = await proxyApplication('portal-d')
  await validated(app.home, app.pgtUrl)
  await changeApplication(server, 'portal-d', { proxy: false })
  const answer = await callCas(server, '/proxy', { pgt: pgtIn(app.hits), targetService: BACKEND })
  expect(answer.code).toBe('UNAUTHORIZED_SERVICE')
})

test('a callback that is unregistered, not https, untrusted, expired, failing or redirecting gets no ticket', async () => {
  const app = await proxyApplication('portal-e')
  const elsewhere = await startService({ tls: authority.issue() })
  const untrusted = await startService({ tls: createAuthority().issue() })
  const expired = await startService({ tls: authority.issue({ expired: true }) })
  const refusing = await startService({
    tls: authority.issue(),
    reply: (_hit, response) => response.writeHead(500).end(),
  })
  const target = await startService()
  const redirecting = await startService({
    tls: authority.issue(),
    reply: (_hit, response) => response.writeHead(302, { location: target.url }).end(),
  })
  const plain = await startService()
  const registered = [app.pgtUrl, ...[untrusted, expired, refusing, redirecting, plain].map(({ url }) => url)]
  await changeApplication(server, 'portal-e', {
    proxy_callback_urls: registered.map((url) => `${new URL(url).origin}/**`),
  })
  const gone = `${app.service.url}pgt`
  app.service.close()
  for (const url of [elsewhere.url, untrusted.url, expired.url, refusing.url, redirecting.url, plain.url, gone]) {
    const answer = await validated(app.home, url)
    expect([url, answer.code]).toEqual([url, 'INVALID_PROXY_CALLBACK'])
    expect(iouIn(answer.text)).toBeNull()
  }
  expect([elsewhere, untrusted, expired, plain, target].flatMap(({ hits }) => hits)).toEqual([])
  expect(
    await server.platform.sql`select from proxy_granting_tickets p join applications a on a.id = p.application_id
    where a.app_id = 'portal-e'`,
  ).toHaveLength(0)
})

test.each([
  'https://169.254.169.254/latest',
  'https://[fe80::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://0.0.0.0/',
])('a metadata or link-local address is not called even when registered: %s', async (pgtUrl) => {
  await addCasApplication(server, { appId: 'cloudy', proxy: true })
  await changeApplication(server, 'cloudy', { proxy_callback_urls: [pgtUrl] })
  expect((await validated('https://cloudy.test/', pgtUrl)).code).toBe('INVALID_PROXY_CALLBACK')
})

test('an application may accept a validation without proxy-granting ticket', async () => {
  const app = await proxyApplication('portal-g', { reply: (_hit, response) => response.writeHead(404).end() })
  await changeApplication(server, 'portal-g', { cas_options: { succeedWithoutPgt: true } })
  const answer = await validated(app.home, app.pgtUrl)
  expect([answer.user, iouIn(answer.text)]).toEqual(['20260001', null])
})

const REFUSALS: [string, Record<string, string>, string][] = [
  ['no parameter', {}, 'INVALID_REQUEST'],
  ['no target', { pgt: 'PGT-1' }, 'INVALID_REQUEST'],
  ['an unknown ticket', { pgt: '<PGT>', targetService: BACKEND }, 'INVALID_TICKET'],
]
test.each(REFUSALS)('/proxy with %s is refused in both formats', async (_what, query, code) => {
  const answer = await callCas(server, '/proxy', query)
  casDocument(answer.text)
  expect([answer.status, answer.code]).toEqual([200, code])
  const json = await callCas(server, '/proxy', { ...query, format: 'JSON' })
  expect(JSON.parse(json.text).serviceResponse.proxyFailure.code).toBe(code)
})

test('the gate decides about proxy tickets: unregistered, disabled or not granted targets, and the portal', async () => {
  await addCasApplication(server, { appId: 'off', enabled: false })
  await addCasApplication(server, { appId: 'denied', type: 'system' })
  const app = await proxyApplication('portal-h')
  await changeApplication(server, 'portal-h', { cas_options: { proxyFailureJson: 'authenticationFailure' } })
  await validated(app.home, app.pgtUrl)
  const portal = `${server.url}/auth_service/cas/login/`
  for (const targetService of ['https://evil.test/', 'https://off.test/', 'https://denied.test/', portal, 'nonsense']) {
    const answer = await callCas(server, '/proxy', { pgt: pgtIn(app.hits), targetService })
    expect([targetService, answer.code]).toEqual([targetService, 'UNAUTHORIZED_SERVICE'])
    const json = await callCas(server, '/proxy', { pgt: pgtIn(app.hits), targetService, format: 'JSON' })
    expect(JSON.parse(json.text).serviceResponse.authenticationFailure.code).toBe('UNAUTHORIZED_SERVICE')
  }
})
