import { expect, test, vi } from 'vitest'
import { openService, ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { revokeWithdrawnAccess } from '../sessions/index.ts'

const SCHOOL = {
  organizations: [
    { code: 'school', name: 'School' },
    { code: 'cs', name: 'Computing', parent: 'school' },
    { code: 'art', name: 'Art', parent: 'school' },
    { code: 'music', name: 'Music', parent: 'art' },
  ],
  userCategories: [
    { code: 'student', name: 'Student' },
    { code: 'guest', name: 'Guest' },
  ],
  roles: [
    { code: 'members', name: 'Members' },
    { code: 'others', name: 'Others' },
  ],
}

const group = (server: TestServer, kind: 'organization' | 'category', code: string) => {
  const { sql } = server.platform
  const table = kind === 'organization' ? sql`organizations` : sql`user_categories`
  return sql`
    insert into role_member_groups (role_id, kind, subject_id)
    select r.id, ${kind}, s.id from roles r, ${table} s where r.code = 'members' and s.code = ${code}`
}

const further = (server: TestServer, code: string) => server.platform.sql`
  insert into user_organizations (user_id, organization_id)
  select u.id, o.id from users u, organizations o where u.account = 'lilei' and o.code = ${code}`

const person = (server: TestServer, change: object) => addPerson(server, { account: 'lilei', ...change })
const forget = (server: TestServer) => server.platform.sql`delete from role_member_groups`
const leave = (server: TestServer) => server.platform.sql`delete from user_organizations`

type Step = (server: TestServer) => Promise<unknown>
const ROLE = { roles: ['members'] }

/** Kind of membership, subject of the grant, how it is established, how it ends, and the roles released meanwhile. */
const WAYS: [string, object, Step, Step, string[]][] = [
  ['a role by department', ROLE, (server) => group(server, 'organization', 'school'), forget, ['members']],
  [
    'a role whose department they leave',
    ROLE,
    (s) => group(s, 'organization', 'cs'),
    (s) => person(s, { organization: 'art' }),
    ['members'],
  ],
  ['a role by category', ROLE, (server) => group(server, 'category', 'student'), forget, ['members']],
  [
    'a role whose category they leave',
    ROLE,
    (s) => group(s, 'category', 'student'),
    (s) => person(s, { category: 'guest' }),
    ['members'],
  ],
  [
    'a role by a further department',
    ROLE,
    async (server) => {
      await group(server, 'organization', 'art')
      await further(server, 'music')
    },
    leave,
    ['members'],
  ],
  ['a further department', { organizations: ['art'] }, (server) => further(server, 'music'), leave, []],
  [
    'a role that is deleted',
    ROLE,
    (server) => group(server, 'category', 'student'),
    (server) => server.platform.sql`delete from roles where code = 'members'`,
    ['members'],
  ],
]

test.each(WAYS)(
  '%s grants an application at once, releases the role to it, and withdraws it with a logout message',
  async (...way) => {
    const [, authorized, join, end, roles] = way
    const server = await testServer()
    await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
    await addPerson(server, { account: 'lilei', organization: 'cs', category: 'student' })
    const service = await startService()
    const attributes = [{ name: 'role', from: 'roles' as const }]
    const application = {
      url: service.url,
      serviceUrls: [`${service.url}**`],
      type: 'system' as const,
      authorized,
      attributes,
    }
    await addCasApplication(server, { appId: 'library', ...application })
    const browser = await logIn(server, 'lilei')
    const refused = async () => expect((await openService(browser, service.url)).status).toBe(403)
    await refused()
    await join(server)
    const answer = await validateP3(server, service.url, await ticketFor(browser, service.url))
    expect(answer.user).toBe('lilei')
    expect([...answer.text.matchAll(/<cas:role>(.*?)<\/cas:role>/g)].map(([, role]) => role)).toEqual(roles)
    await revokeWithdrawnAccess(server.platform)
    expect(service.hits).toEqual([])
    await end(server)
    await refused()
    await revokeWithdrawnAccess(server.platform)
    await vi.waitFor(() => expect(service.hits).toHaveLength(1), { timeout: 30_000 })
  },
)

test('a person with one of thousands of individual grants gets in, and the others do not', async () => {
  const server = await testServer()
  const { sql } = server.platform
  await addPerson(server, { account: 'lilei' })
  await addPerson(server, { account: 'other' })
  await addCasApplication(server, { appId: 'library', type: 'system', authorized: { users: ['lilei'] } })
  await sql`
    insert into application_grants (application_id, subject_kind, subject_id)
    select id, 'user', gen_random_uuid() from applications, generate_series(1, 3000) where app_id = 'library'`
  expect(await ticketFor(await logIn(server, 'lilei'), 'https://library.test/')).toMatch(/^ST-/)
  expect((await openService(await logIn(server, 'other'), 'https://library.test/')).status).toBe(403)
})
