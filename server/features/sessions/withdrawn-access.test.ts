import { expect, test, vi } from 'vitest'
import { ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { addClient, introspect, obtainTokens } from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { revokeWithdrawnAccess } from './index.ts'

const SCHOOL = {
  organizations: [
    { code: 'school', name: 'School' },
    { code: 'cs', name: 'Computing', parent: 'school' },
    { code: 'art', name: 'Art', parent: 'school' },
  ],
  userCategories: [
    { code: 'student', name: 'Student' },
    { code: 'guest', name: 'Guest' },
  ],
  roles: [{ code: 'members', name: 'Members' }],
}

/** A person who is inside a CAS and an OpenID Connect application because of `authorized`. */
async function inside(server: TestServer, authorized: object) {
  await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
  await addPerson(server, { account: 'lilei', organization: 'cs', category: 'student', roles: ['members'] })
  const service = await startService()
  const type = 'system' as const
  const cas = { appId: 'library', url: service.url, serviceUrls: [`${service.url}**`], type, authorized }
  await addCasApplication(server, cas)
  const client = await addClient(server, {
    appId: 'lms',
    type,
    authorized,
    backchannelLogoutUri: `${service.url}logout`,
  })
  const browser = await logIn(server, 'lilei')
  await validateP3(server, service.url, await ticketFor(browser, service.url))
  const tokens = await obtainTokens(browser, client)
  await revokeWithdrawnAccess(server.platform)
  expect(service.hits).toEqual([])
  return { service, client, browser, tokens }
}

const change = (server: TestServer, person: object) => addPerson(server, { account: 'lilei', ...person })

const WAYS: [string, object, (server: TestServer) => Promise<unknown>][] = [
  ['their role', { roles: ['members'] }, (server) => change(server, { roles: [] })],
  ['their organisation', { organizations: ['cs'] }, (server) => change(server, { organization: 'art' })],
  ['their category', { categories: ['student'] }, (server) => change(server, { category: 'guest' })],
  ['the grant', { users: ['lilei'] }, (server) => server.platform.sql`delete from application_grants`],
  [
    'the place of their organisation',
    { organizations: ['school'] },
    (server) => server.platform.sql`update organizations set ancestor_ids = array[id] where code = 'cs'`,
  ],
  [
    'the time of a dated grant',
    { users: ['lilei'] },
    async (server) => {
      const end = new Date(server.platform.now().getTime() + 1000)
      await server.platform.sql`update application_grants set valid_until = ${end}`
      server.advance(5)
    },
  ],
]

test.each(WAYS)('losing %s logs the person out of the applications it granted, and of nothing else', async (...way) => {
  const [, authorized, withdraw] = way
  const server = await testServer()
  const { service, client, browser, tokens } = await inside(server, authorized)
  await withdraw(server)
  expect((await introspect(client, tokens.access_token)).body).toEqual({ active: false })
  await revokeWithdrawnAccess(server.platform)
  await vi.waitFor(() => expect(service.hits).toHaveLength(2), { timeout: 30_000 })
  expect(service.hits.map(({ url }) => url.pathname).toSorted()).toEqual(['/', '/logout'])
  await revokeWithdrawnAccess(server.platform)
  await browser.get('/fwk_cas_service/logout')
  await server.platform.sql`select pg_notify('gatehouse_logout', '')`
  expect(await server.platform.sql`select from logout_deliveries`).toHaveLength(2)
})

test('disabling an application tells it about everyone inside; whoever regains access logs in again', async () => {
  const server = await testServer()
  const { service, client, browser, tokens } = await inside(server, { users: ['lilei'] })
  await changeApplication(server, 'lms', { enabled: false })
  await revokeWithdrawnAccess(server.platform)
  await vi.waitFor(() => expect(service.hits).toHaveLength(1), { timeout: 30_000 })
  expect(service.hits[0]?.body).toMatch(/^logout_token=/)
  await changeApplication(server, 'lms', { enabled: true })
  expect((await introspect(client, tokens.access_token)).body).toEqual({ active: false })
  expect((await introspect(client, (await obtainTokens(browser, client)).access_token)).body.active).toBe(true)
})

test('a person with another path to an application stays inside', async () => {
  const server = await testServer()
  const { service, client, tokens } = await inside(server, { roles: ['members'], categories: ['student'] })
  await change(server, { roles: [] })
  await revokeWithdrawnAccess(server.platform)
  expect((await introspect(client, tokens.access_token)).body.active).toBe(true)
  expect(service.hits).toEqual([])
  expect(await server.platform.sql`select from access_changes`).toEqual([])
})

test('an application that is disabled is told about more people than one statement takes, each of them once', async () => {
  const server = await testServer()
  const { client } = await inside(server, { users: ['lilei'] })
  const { sql } = server.platform
  await sql`
    insert into sso_sessions (id, secret_hash, user_id, auth_type, remembered, warn, limited, authenticated_at, opened_at,
      last_seen_at, expires_at, ip, user_agent, browser, device, client_type, on_campus)
    select gen_random_uuid(), sha256(n::text::bytea), user_id, auth_type, remembered, warn, limited, authenticated_at, opened_at,
      last_seen_at, expires_at, ip, user_agent, browser, device, client_type, on_campus
    from sso_sessions, generate_series(1, 1200) as n`
  await sql`
    insert into session_clients (sso_session_id, application_id, sid, subject, first_at)
    select s.id, a.id, s.id::text, 'lilei', now() from sso_sessions s, applications a where a.app_id = ${client.id}
    on conflict do nothing`
  await changeApplication(server, 'lms', { enabled: false })
  await revokeWithdrawnAccess(server.platform)
  expect(await sql`select from session_clients`).toEqual([])
  expect(await sql`select from logout_deliveries group by sso_session_id having count(*) > 1`).toEqual([])
  expect(await sql`select from logout_deliveries`).toHaveLength(1201)
})
