import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { openService, ticketTraces } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

/** Bypasses of a registered `https://app.test/in/**` that have fooled one parser or another. */
const PAYLOADS = [
  'https://evil.test/',
  'https://evil.test/in/',
  '//evil.test/in/',
  '///evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https:evil.test',
  'https:/evil.test',
  'https:\\\\evil.test',
  'https://app.test@evil.test/in/',
  'https://app.test:443@evil.test/in/',
  'https://a@b@evil.test/in/',
  'https://user@app.test/in/',
  'https://user:pw@app.test/in/',
  'https://evil.test\\@app.test/in/',
  'https://evil.test#@app.test/in/',
  'https://evil.test?@app.test/in/',
  'https://evil.test/https://app.test/in/',
  'https://app.test.evil.test/in/',
  'https://app.testevil.test/in/',
  'https://app.test./in/',
  'https://app.test%2eevil.test/in/',
  'https://app.test%00.evil.test/in/',
  'https://app.test。evil.test/in/',
  'https://xn--app-test.evil.test/in/',
  'https://ａpp.test.evil/in/',
  'https://app.test:444/in/',
  'http://app.test/in/',
  'https://app.test/',
  'https://app.test/inside',
  'https://app.test/IN/',
  'https://app.test/in/../out',
  'https://app.test/in/..;/out',
  'https://app.test/in/%2e%2e/out',
  'https://app.test/in/%2E%2E%2Fout',
  'https://app.test/in/..%2fout',
  'https://app.test/in/..%5cout',
  'https://app.test/in/x%00',
  'https://app.test/in\\..\\out',
  'https://app.test/in/\\evil.test',
  ' https://app.test/in/',
  'https://app.test/in/ ',
  '\thttps://app.test/in/',
  'ht\ntps://app.test/in/',
  'https://app.test/in/\r\nSet-Cookie: x=1',
  'https://app.test/in/\n',
  '\u0001https://app.test/in/',
  'https://app.test/in/\u007f',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'javascript://app.test/in/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://app.test/in/',
  'blob:https://app.test/in/',
  'about:blank',
  'https://[::1]/in/',
  'https://*/in/',
  `https://app.test/in/${'x'.repeat(5000)}`,
]
const WAYS: [string, (payload: string) => string][] = [
  ['as it is', (payload) => payload],
  ['encoded once more', encodeURIComponent],
  ['encoded twice more', (payload) => encodeURIComponent(encodeURIComponent(payload))],
]

let server: TestServer
let known: Browser

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addCasApplication(server, { appId: 'app', serviceUrls: ['https://app.test/in/**'] })
  known = await logIn(server, '20260001')
})
afterAll(() => server.close())

test('registered addresses still work', async () => {
  expect((await openService(known, 'https://app.test/in/deep?x=1')).location).toMatch(/ticket=ST-/)
})

test.each(WAYS)(
  'no payload is redirected to from /login, %s, with or without session, and no ticket is issued',
  async (_way, written) => {
    const before = await ticketTraces(server)
    for (const payload of PAYLOADS) {
      for (const browser of [known, createBrowser(server)]) {
        for (const query of [{}, { gateway: 'true' }] as Record<string, string>[]) {
          const answer = await openService(browser, written(payload), query)
          expect([payload, answer.status, answer.location]).toEqual([payload, 403, ''])
          expect(answer.text).not.toMatch(/http-equiv="?refresh|<script>alert/i)
          expect(answer.headers.get('set-cookie') ?? '').not.toContain('x=1')
        }
      }
    }
    expect(await ticketTraces(server)).toBe(before)
  },
)

test('no payload is accepted with credentials either', async () => {
  const before = await ticketTraces(server)
  for (const payload of PAYLOADS) {
    const form = { username: '20260001', password: PASSWORD }
    const browser = createBrowser(server)
    const answer = await browser.post(`/fwk_cas_service/login?${new URLSearchParams({ service: payload })}`, form)
    expect([payload, answer.status, answer.location]).toEqual([payload, 403, ''])
  }
  expect(await ticketTraces(server)).toBe(before)
})

test('a service given twice is refused, whichever of the two is registered', async () => {
  const good = encodeURIComponent('https://app.test/in/')
  const evil = encodeURIComponent('https://evil.test/')
  for (const query of [`service=${good}&service=${evil}`, `service=${evil}&service=${good}`, `service[]=${good}`]) {
    const answer = await known.get(`/fwk_cas_service/login?${query}`)
    expect(answer.location).not.toContain('ticket=')
    expect(answer.location).not.toContain('evil.test')
  }
})

test.each(WAYS)('no payload is redirected to from /logout, %s', async (_way, written) => {
  for (const payload of PAYLOADS) {
    const answer = await createBrowser(server).get(
      `/fwk_cas_service/logout?${new URLSearchParams({ service: written(payload) })}`,
    )
    expect([payload, answer.status, answer.location]).toEqual([payload, 200, ''])
    expect(answer.text).not.toMatch(/http-equiv="?refresh|<script>alert/i)
  }
})
