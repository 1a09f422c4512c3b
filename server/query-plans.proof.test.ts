import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { writeApplications } from '../bench/scale-data.applications.ts'
import { writeOrganizations, writePeople, writeReferenceData } from '../bench/scale-data.people.ts'
import { writeRecords } from '../bench/scale-data.records.ts'
import { openPortal, type Portal } from './testing/portal.ts'
import { rowsRead, type Statement } from './testing/rows-read.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

const PEOPLE = 40_000
/** Rows of a large table that one statement may read: a count stops at 10,001 rows, a deep page reads about as many. */
const MAX_ROWS = 14_000
let server: TestServer
let page: Portal
let sent: Statement[] = []
let known: Record<string, string>

beforeAll(async () => {
  server = await startTestServer({ onStatement: (text, parameters) => sent.push({ text, parameters }) })
  const { sql, now } = server.platform
  await writeReferenceData(sql)
  await writeOrganizations(sql, 1000, now())
  await writePeople(sql, PEOPLE, now(), 'nobody logs in')
  await writeApplications(sql, 60, now())
  await writeRecords(sql, 200_000, now())
  await sql`vacuum (analyze)`
  page = await openPortal(server, { account: 'administrator', isSuperUser: true })
  known = await knownValues()
}, 180_000)
afterAll(() => server.close())

/** An existing value for each parameter that references something. */
async function knownValues(): Promise<Record<string, string>> {
  const one = async (table: string, where = 'true') => {
    const [row] = await server.platform.sql.unsafe(`select id from ${table} where ${where} order by id limit 1`)
    return String(row?.['id'])
  }
  const organizationId = await one('organizations', "code = 'department-7'")
  const applicationId = await one('applications', "app_id = 'app-1'")
  return {
    organizationId,
    parentId: await one('organizations', "code = 'classes-1'"),
    categoryId: await one('user_categories'),
    personnelTypeId: await one('personnel_types'),
    roleId: await one('roles'),
    applicationId,
    userId: await one('users', "account like '2000%' and deleted_at is null"),
    memberId: await one('users', "account like '2000%' and deleted_at is null"),
  }
}

const SEARCHES = ['王', '王伟', '欧阳娜娜', 'wang', 'ww', '20000', '1380000', 'nobody has this']

type Shape = { enum?: string[]; format?: string }

/** The queries to send to a list: plain, a deep page, each sort order, each filter alone, a search. */
function variants({ path, query }: Endpoint): Record<string, string>[] {
  const { properties } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, Shape>
  }
  const filters = Object.entries(properties).filter(([name]) => !/^page/.test(name) && !path.includes(`{${name}}`))
  const single = filters.flatMap(([name, shape]) => valuesOf(name, shape).map((value) => ({ [name]: value })))
  const ways = properties['searchBy']?.enum ?? []
  const searched = ways.flatMap((searchBy) => SEARCHES.map((search) => ({ search, searchBy })))
  return [{}, { pageIndex: '900' }, { pageSize: '100', pageIndex: '100' }, ...single, ...searched]
}

function valuesOf(name: string, shape: Shape): string[] {
  if (name === 'search') return SEARCHES
  if (shape.enum) return shape.enum
  if (known[name]) return [known[name]]
  if (shape.format === 'date-time') return [new Date(server.platform.now().getTime() - 40 * 86_400_000).toISOString()]
  return name === 'ip' ? ['10.3', '10.3.0.0/16'] : []
}

const lists = () =>
  server.app.surface.endpoints.filter(
    ({ method, query, access }) =>
      method === 'GET' && query instanceof z.ZodObject && 'pageSize' in query.shape && /user|admin/i.test(access),
  )

/** What `{id}` is the id of, by the noun at the start of the path. */
const NOUNS: [path: RegExp, name: string][] = [
  [/^\/(user_information|account)/, 'userId'],
  [/^\/role\//, 'roleId'],
  [/^\/organization/, 'organizationId'],
  [/^\/application/, 'applicationId'],
]

const pathFor = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const noun = NOUNS.find(([beginning]) => beginning.test(path))?.[1] ?? ''
    return known[name] ?? known[noun] ?? page.user.userId
  })

/** Explains a statement and rolls it back. @returns why it is too expensive, or null. */
async function complaintOf(statement: Statement): Promise<string | null> {
  // The line that tells who read the records of others.
  if (/^\s*insert/i.test(statement.text)) return null
  const read = await rowsRead(server.platform.sql, statement)
  const much = [...read].filter(([, rows]) => rows > MAX_ROWS)
  return much.length > 0 ? much.map(([table, rows]) => `${Math.round(rows)} rows of ${table}`).join(', ') : null
}

/** Sends one query to a list, and judges the statements it caused. */
async function complaintsOf(path: string, query: Record<string, string>, judged: Set<string>): Promise<string[]> {
  sent = []
  const address = `${pathFor(path)}?${new URLSearchParams(query)}`
  const { status } = await page.call(address)
  // No import exists here.
  if (!/\/import\//.test(path)) expect([200, 400], `${address} answered ${status}`).toContain(status)
  const complaints: string[] = []
  for (const statement of [...sent]) {
    const key = `${statement.text} ${JSON.stringify(statement.parameters)}`
    if (judged.has(key)) continue
    judged.add(key)
    const complaint = await complaintOf(statement)
    const text = statement.text.replace(/\s+/g, ' ').slice(0, 300)
    if (complaint) complaints.push(`${path} ${JSON.stringify(query)} reads ${complaint}: ${text}`)
  }
  return complaints
}

test('no list of the back office reads a large table without an index and a limit, whatever its parameters', async () => {
  expect(lists().length).toBeGreaterThan(3)
  const complaints: string[] = []
  const judged = new Set<string>()
  for (const endpoint of lists()) {
    for (const query of variants(endpoint)) complaints.push(...(await complaintsOf(endpoint.path, query, judged)))
  }
  expect(complaints).toEqual([])
}, 300_000)
