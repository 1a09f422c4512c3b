import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { writeApplications } from '../bench/scale-data.applications.ts'
import { writeOrganizations, writePeople, writeReferenceData } from '../bench/scale-data.people.ts'
import type { SqlFragment } from './platform/db.ts'
import { openPortal, type Portal } from './testing/portal.ts'
import { rowsRead, type Statement } from './testing/rows-read.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

// An answer that reveals nothing of other parts may still take longer the more there is. So the rows that the database reads are counted
// instead of timed: as many for a value that matches thousands elsewhere as for one that matches nothing, and as many after thousands more
// were added elsewhere.

const PEOPLE = 9000
const OWN = 25
/** Tolerates a hit more or less in a few statements. */
const TOLERATED = 12
/** Tables that grow with an institution; its few settings and roles are visible to everybody. */
const COUNTED =
  /^(users|login_names|role_members|role_member_groups|user_organizations|organizations|people_count_changes|application_grants|attempt_counters|sso_sessions|portal_sessions|known_devices|passwords|audit_records\w*|login_records\w*)$/

let server: TestServer
let dean: Portal
let sent: Statement[] = []

/** Two values of a parameter: one that matches many people of other parts, one that matches nobody. */
type Pair = [many: string, none: string]
let ids: Record<string, Pair>
/** Ids in their own part. */
let own: Record<string, string>

beforeAll(async () => {
  server = await startTestServer({ onStatement: (text, parameters) => sent.push({ text, parameters }) })
  const { sql, now } = server.platform
  await writeReferenceData(sql)
  await writeOrganizations(sql, 600, now())
  await writePeople(sql, PEOPLE, now(), 'nobody logs in')
  await writeApplications(sql, 10, now())
  await writeElsewhere()
  dean = await openPortal(server, { account: 'dean', permissions: ['edit', 'unlock', 'reset', 'import', 'authorise'] })
  const [appointment] = await sql<{ id: string }[]>`
    select organization_id as id from appointments where user_id = ${dean.user.userId}`
  const part = appointment?.id ?? ''
  await sql`
    insert into users (id, account, name, name_pinyin, name_initials, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'ours-' || n, 'Ours ' || n, 'ours' || n, 'o' || n, ${part}, now(), now() from generate_series(1, ${OWN}::int) n`
  await sql`vacuum (analyze)`
  ids = await pairs()
  const [person] = await sql<{ id: string }[]>`select id from users where account = 'ours-1'`
  own = {
    organizationId: part,
    parentId: part,
    organization: part,
    userId: person?.id ?? '',
    memberId: person?.id ?? '',
  }
}, 180_000)
afterAll(() => server.close())

const MANY = 4000
/** The next thousands of people elsewhere. */
const strangers = (offset: number) =>
  server.platform
    .sql`select id, account from users where account like '2000%' order by account limit ${MANY} offset ${offset}`

const lock = (people: SqlFragment) => server.platform.sql`
  insert into attempt_counters (key, kind, user_id, recent, blocked_until, last_at)
  select uuid_send(s.id), 'person', s.id, '{}', ${new Date(server.platform.now().getTime() + 86_400_000)},
    ${server.platform.now()} from (${people}) s on conflict (kind, key) do nothing`

/** Thousands of people with a role, a secondary department and an application. */
async function writeElsewhere(): Promise<void> {
  const { sql } = server.platform
  const some = strangers(0)
  await lock(strangers(MANY))
  await sql`insert into roles (id, code, name, created_at, updated_at) values (gen_random_uuid(), 'nobody', 'Nobody', now(), now())`
  await sql`delete from role_members`
  await sql`
    insert into role_members (role_id, user_id)
    select (select id from roles where code <> 'nobody' order by code limit 1), id from (${some}) some_people`
  await sql`
    insert into user_organizations (user_id, organization_id)
    select id, (select id from organizations where code = 'faculty-2') from (${some}) some_people`
  await sql`delete from application_grants`
  await sql`
    insert into application_grants (application_id, subject_kind, subject_id)
    select (select id from applications where app_id = 'app-1'), 'user', id from (${some}) some_people`
}

async function pairs(): Promise<Record<string, Pair>> {
  const one = async (table: string, where: string) => {
    const [row] = await server.platform.sql.unsafe(`select id from ${table} where ${where} limit 1`)
    return String(row?.['id'])
  }
  const nobody = v7()
  const person = await one('users', "account = '20000001'")
  const organization = await one('organizations', "code = 'faculty-2'")
  return {
    organizationId: [organization, nobody],
    parentId: [organization, nobody],
    categoryId: [await one('user_categories', "code = 'undergraduate'"), nobody],
    personnelTypeId: [await one('personnel_types', "code = 'full-time'"), nobody],
    roleId: [await one('roles', "code <> 'nobody' order by code"), await one('roles', "code = 'nobody'")],
    applicationId: [await one('applications', "app_id = 'app-1'"), await one('applications', "app_id = 'app-2'")],
    userId: [person, nobody],
    memberId: [person, nobody],
    organization: [organization, nobody],
  }
}

const SEARCHES: Pair[] = [
  ['王', '龘'],
  ['王伟', '龘靐'],
  ['wang', 'xqxq'],
  ['w', 'å'],
  ['20000', '99999'],
  ['20000001', '99999999'],
  ['13800000', '99999999'],
  ['20000001@example.edu', '99999999@example.edu'],
]

type Question = { path: string; query: Record<string, string> }
const NAMED: [path: RegExp, name: string][] = [
  [/^\/user_information/, 'userId'],
  [/^\/organization/, 'organization'],
]

/** The two queries for a call: one that matches many, one that matches nobody. */
function questionsTo({ path, query }: Endpoint): [Question, Question][] {
  const names = query instanceof z.ZodObject ? Object.keys(query.shape) : []
  const both = (ask: (at: 0 | 1) => Question): [Question, Question] => [ask(0), ask(1)]
  const filled = (at: 0 | 1) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const noun = NAMED.find(([beginning]) => beginning.test(path))?.[1] ?? ''
      return (ids[name] ?? ids[noun])?.[at] ?? v7()
    })
  const required = (at: 0 | 1) =>
    Object.fromEntries(
      names.filter((name) => ids[name] && !query.safeParse({}).success).map((name) => [name, ids[name]?.[at] ?? '']),
    )
  const ofPath = path.includes('{') ? [both((at) => ({ path: filled(at), query: required(at) }))] : []
  const single = names
    .filter((name) => ids[name])
    .map((name) => both((at) => ({ path: filled(at), query: { ...required(at), [name]: ids[name]?.[at] ?? '' } })))
  const ways = names.includes('searchBy') ? [undefined, '1', '2', '3', '4'] : [undefined]
  const searched = (names.includes('search') ? SEARCHES : []).flatMap((pair) =>
    ways.map((searchBy) =>
      both((at) => ({
        path: filled(at),
        query: { ...required(at), search: pair[at], ...(searchBy && { searchBy }) },
      })),
    ),
  )
  return [...ofPath, ...single, ...searched]
}

/** The rows of each large table read for an answer. */
async function readFor({ path, query }: Question): Promise<{ rows: Record<string, number>; status: number }> {
  // What is kept for a while would be read for the one question and not for the other.
  await server.platform.cache.invalidate(server.platform.sql, 'people counts')
  sent = []
  const { status } = await dean.call(`${path}?${new URLSearchParams(query)}`)
  const rows: Record<string, number> = {}
  // An audit record can't be written twice.
  for (const statement of sent.filter(({ text }) => !/^\s*insert/i.test(text))) {
    for (const [table, read] of await rowsRead(server.platform.sql, statement, { tables: COUNTED, readsWhole: true }))
      rows[table] = (rows[table] ?? 0) + read
  }
  return { rows, status }
}

/** The tables of which one run read many more rows than the other. */
function apart({ path, query }: Question, one: Record<string, number>, other: Record<string, number>): string[] {
  const tables = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return tables.flatMap((table) => {
    const [first = 0, second = 0] = [one[table], other[table]]
    if (Math.abs(first - second) <= TOLERATED) return []
    return [`${path} ${JSON.stringify(query)} reads ${first} rows of ${table}, else ${second}`]
  })
}

test('for values that match elsewhere no more is read than for values that match nothing', async () => {
  const readings = server.app.surface.endpoints.filter(
    ({ method, access }) => method === 'GET' && access.startsWith('administrator'),
  )
  const told: string[] = []
  let asked = 0
  for (const endpoint of readings) {
    for (const [many, none] of questionsTo(endpoint)) {
      const [atMany, atNone] = [await readFor(many), await readFor(none)]
      asked++
      if (atMany.status !== atNone.status) told.push(`${many.path} answers ${atMany.status} and ${atNone.status}`)
      told.push(...apart(many, atMany.rows, atNone.rows))
    }
  }
  expect(asked).toBeGreaterThan(60)
  expect(told).toEqual([])
}, 300_000)

/** Queries about their own part: each list and person plain and with each choice, and the people with a role that thousands have. */
function ownQuestions({ path, query }: Endpoint): Question[] {
  const shape = query instanceof z.ZodObject ? query.shape : {}
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const noun = NAMED.find(([beginning]) => beginning.test(path))?.[1] ?? ''
    return own[name] ?? own[noun] ?? v7()
  })
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { enum?: string[] }>
  }
  const values = { ...own, roleId: ids['roleId']?.[0], applicationId: ids['applicationId']?.[0] } as Record<
    string,
    string
  >
  const named = Object.keys(shape).filter((name) => values[name])
  const required = query.safeParse({}).success
    ? {}
    : Object.fromEntries(named.map((name) => [name, values[name] ?? '']))
  const chosen = Object.entries(properties).flatMap(([name, one]) =>
    (one.enum ?? []).map((value) => ({ [name]: value })),
  )
  const beside =
    'directOnly' in shape
      ? ['0', '1'].map((directOnly) => ({ organizationId: values['organizationId'] ?? '', directOnly }))
      : []
  const searched = 'search' in shape ? [{ search: 'ours' }] : []
  const queries = [{}, ...named.map((name) => ({ [name]: values[name] ?? '' })), ...chosen, ...beside, ...searched]
  return queries.map((one) => ({ path: filled, query: { ...required, ...one } }))
}

/** Thousands elsewhere who are locked by failures, and belong to the neighbouring part. */
async function writeMoreElsewhere(): Promise<void> {
  const { sql } = server.platform
  await lock(strangers(0))
  await sql`
    insert into user_organizations (user_id, organization_id)
    select id, ${own['organizationId'] ?? ''} from (${strangers(0)}) s on conflict do nothing`
  await sql`vacuum (analyze)`
}

test('growth elsewhere does not make answers about one’s own part read more', async () => {
  const readings = server.app.surface.endpoints.filter(
    ({ method, access }) => method === 'GET' && access.startsWith('administrator'),
  )
  const questions = readings.flatMap(ownQuestions)
  const read = async () => {
    const rows: Record<string, number>[] = []
    for (const question of questions) rows.push((await readFor(question)).rows)
    return rows
  }
  const before = await read()
  await writeMoreElsewhere()
  const after = await read()
  const told = questions.flatMap((question, at) => apart(question, before[at] ?? {}, after[at] ?? {}))
  expect(questions.length).toBeGreaterThan(80)
  expect(told).toEqual([])
}, 300_000)
