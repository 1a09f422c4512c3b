import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../../testing/authority.ts'
import type { Browser } from '../../testing/browser.ts'
import { callCas, ticketFor } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'

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

/** An application that may proxy, with a real https callback that stores what it receives. */
async function proxyApplication(appId: string, reply?: Parameters<typeof startService>[0] extends infer O ? O : never) {
  const service = await startService({ tls: authority.issue(), ...reply })
  await addCasApplication(server, { appId, proxy: true, proxyCallbackUrls: [`${service.url}**`] })
  return { home: `https://${appId}.test/`, pgtUrl: `${service.url}pgt?app=${appId}`, hits: service.hits, service }
}

async function validated(home: string, pgtUrl: string, who = browser) {
  return callCas(server, '/serviceValidate', { service: home, ticket: await ticketFor(who, home), pgtUrl })
}

test('a callback that does not answer times out after five seconds', async () => {
  const app = await proxyApplication('portal-f', { reply: () => {} })
  const began = performance.now()
  expect((await validated(app.home, app.pgtUrl)).code).toBe('INVALID_PROXY_CALLBACK')
  expect(performance.now() - began).toBeLessThan(7000)
})
