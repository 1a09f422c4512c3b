import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../testing/authority.ts'
import { createBrowser } from '../../testing/browser.ts'
import { callCas, openService, ticketFor, ticketIn, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, PASSWORD, postLogin } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'

const SECRET = /\b(ST|PT|PGT|PGTIOU|TGT)-[A-Za-z0-9]{8,}/

test('no password, cookie, ticket or code is in any log line, whatever happens to it', async () => {
  const lines: string[] = []
  const server = await testServer({ onLog: (line) => lines.push(line) })
  const authority = createAuthority()
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, authority.certificate])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const app = await startService({ tls: authority.issue() })
  const refusing = await startService({ reply: (_hit, response) => response.writeHead(500).end() })
  await addPerson(server, { account: '20260001' })
  const proxy = { proxy: true, proxyCallbackUrls: [`${app.url}**`, 'https://127.0.0.1:9/**'] }
  await addCasApplication(server, { appId: 'library', serviceUrls: [`${app.url}**`, `${refusing.url}**`], ...proxy })
  await server.platform.sql`
    insert into settings (name, value, updated_at) values ('login', '{"restTicketAddresses": ["127.0.0.1/32"]}', now())`
  await server.platform.cache.invalidate(server.platform.sql, 'settings')

  const browser = createBrowser(server)
  const portal = `${server.url}/auth_service/cas/login/?casParameter=%7B%7D`
  await postLogin(browser, { username: '20260001', password: 'Wrong-canary-7' })
  const posted = await postLogin(browser, { username: '20260001' }, { service: portal })
  const code = new URL((await browser.get(posted.location)).location).searchParams.get('jsessionid') ?? ''
  const service = app.url
  await callCas(server, '/serviceValidate', {
    service,
    ticket: await ticketFor(browser, service),
    pgtUrl: `${app.url}pgt`,
  })
  const pgt = app.hits.at(-1)?.url.searchParams.get('pgtId') ?? ''
  await callCas(server, '/proxy', { pgt, targetService: service })
  const broken = { service, ticket: await ticketFor(browser, service), pgtUrl: 'https://127.0.0.1:9/pgt' }
  await callCas(server, '/serviceValidate', broken)
  await validateP3(server, 'https://evil.test/', ticketIn((await openService(browser, refusing.url)).location))
  await validateP3(server, refusing.url, await ticketFor(browser, refusing.url))
  const program = createBrowser(server)
  const rest = await program.post('/fwk_cas_service/v1/tickets', { username: '20260001', password: PASSWORD })
  await program.post(`/fwk_cas_service/v1/tickets/${rest.text}`, { service })
  await program.get(`/fwk_cas_service/v1/tickets/${rest.text}x`)
  await browser.get('/fwk_cas_service/logout')
  await expect.poll(() => refusing.hits.length, { timeout: 30_000 }).toBe(1)

  const log = lines.join('')
  expect(log).toContain('/fwk_cas_service/v1/tickets/:tgt')
  expect(log).toContain('proxy call-back failed')
  expect(log).not.toMatch(SECRET)
  for (const secret of [PASSWORD, 'Wrong-canary-7', code, pgt]) expect(log).not.toContain(secret)
})
