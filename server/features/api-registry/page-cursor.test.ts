import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenPerson } from '#shared/contract/open-api.ts'
import { type OpenClient, openClient } from '../../testing/open-api.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const LIST = '/open_api/people/?organizationCode=school'
const CHANGES = '/open_api/people_changes/?since=2020-01-01T00:00:00Z'
const CALLS = [LIST, CHANGES]

let server: TestServer
let admin: Portal
/** Granted to nobody, so no people may be released to it. */
let stranger: OpenClient
/** Granted to everybody. */
let library: OpenClient
let applications = 0

beforeAll(async () => {
  server = await startTestServer()
  await applyBootstrap(server.platform, { organizations: [{ code: 'school', name: 'School' }] }, { source: 'test' })
  await server.platform.sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'hidden' || lpad(n::text, 5, '0'), 'Hidden', o.id, '2024-01-01', '2024-01-01'
    from organizations o, generate_series(1, 1001) n`
  return () => server.close()
})

beforeEach(async () => {
  admin = await openPortal(server, { isSuperUser: true })
  applications += 1
  const open = async (appId: string, type: 'system' | 'whitelist') =>
    openClient(admin, await addCasApplication(server, { appId, type }), ['people.list', 'people.changes'])
  stranger = await open(`stranger-${applications}`, 'system')
  library = await open(`library-${applications}`, 'whitelist')
})

type Page = { people: OpenPerson[]; next: string | null }

async function nextOf(client: OpenClient, path: string): Promise<string> {
  const { data } = await client.call<Page>(path)
  if (!data.next) throw new Error('there is no next page')
  return data.next
}

const answerTo = async (client: OpenClient, path: string, after: string) => {
  const { status, code, data } = await client.call<{ fields?: { field: string }[] }>(
    `${path}&after=${encodeURIComponent(after)}`,
  )
  return [status, code, data?.fields?.map(({ field }) => field)]
}

const REFUSED = [400, 'request.invalid', ['after']]

test.each(CALLS)('the cursor of %s reveals nothing about people whom the application may not know', async (path) => {
  const { sql } = server.platform
  const { data } = await stranger.call<Page>(path)
  expect(data.people).toEqual([])
  const next = data.next ?? ''
  const read = next.split('.').map((part) => Buffer.from(part, 'base64url').toString('utf8'))
  expect(read.join()).not.toMatch(/hidden|2024-01-01/)
  // Nor does its length.
  const [last] = await sql<{ id: string }[]>`select id from users where account = 'hidden01000'`
  await sql`update users set account = ${'hidden01000'.padEnd(64, '九')} where id = ${last?.id ?? ''}`
  expect(await nextOf(stranger, path)).toHaveLength(next.length)
  await sql`update users set account = 'hidden01000' where id = ${last?.id ?? ''}`
  expect((await stranger.call<Page>(`${path}&after=${next}`)).data).toEqual({ people: [], next: null })
})

test.each(CALLS)('only a cursor that %s gave this application is accepted', async (path) => {
  const [other = ''] = CALLS.filter((one) => one !== path)
  const own = await nextOf(library, path)
  expect((await answerTo(library, path, own))[0]).toBe(200)
  const readable = (place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')
  const forged = [
    readable(['00000000-0000-7000-8000-000000000000', 'hidden01000']),
    readable(['9999-99-99', '00000000-0000-7000-8000-000000000000']),
    own.replace(/.{8}$/, 'AAAAAAAA'),
    own.slice(0, -20),
    `${own.split('.').slice(0, 2).join('.')}.AAAAAAAAAAAAAAAAAAAAAA`,
    'v1',
    'x',
    await nextOf(stranger, path),
    await nextOf(library, other),
  ]
  for (const after of forged) expect([after, await answerTo(library, path, after)]).toEqual([after, REFUSED])
})

test('a page may end at the longest account there can be', async () => {
  const account = 'hidden00500'.padEnd(64, '亿')
  await server.platform.sql`update users set account = ${account} where account = 'hidden00500'`
  const path = `${LIST}&pageSize=500`
  const { data: first } = await library.call<Page>(path)
  expect(first.people.at(-1)?.user).toBe(account)
  const { status, data: second } = await library.call<Page>(`${path}&after=${first.next}`)
  expect([status, second.people[0]?.user, second.people.length]).toEqual([200, 'hidden00501', 500])
})
