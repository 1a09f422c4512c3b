import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoginLogLine, searchLogins, type VisitLogLine } from '#shared/contract/log-centre.ts'
import { createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

type Found<Line> = {
  records: Line[]
  searchedBackTo: string | null
  next: string | null
  names: Record<string, string>
}

const DAY = 86_400_000
let server: TestServer
let admin: Portal

beforeAll(async () => {
  server = await startTestServer()
  admin = await openPortal(server, { account: 'root', isSuperUser: true })
})
afterAll(() => server.close())

const logins = async (query: Record<string, string>, page = admin) =>
  (await page.call<Found<LoginLogLine>>(`/login_log/query/?${new URLSearchParams(query)}`)).data
const visits = async (query: Record<string, string>) =>
  (await admin.call<Found<VisitLogLine>>(`/app_visit_log/query/?${new URLSearchParams(query)}`)).data
const idsOf = ({ records }: Found<{ id: string }>) => records.map(({ id }) => id)
/** Goes on where a search ran out of time, as on a busy machine. */
async function idsOfAll(query: Record<string, string>): Promise<string[]> {
  const found = await logins(query)
  const ids = idsOf(found)
  return found.next === null ? ids : [...ids, ...(await idsOfAll({ ...query, after: found.next }))]
}
const ago = (days: number) => new Date(server.platform.now().getTime() - days * DAY)

test('every record is found once, across months and pages, also those with the same time', async () => {
  const person = await insertPerson(server)
  const written: string[] = []
  for (let n = 0; n < 24; n++) written.push(await insertLoginRecord(server, person, { at: ago(n < 12 ? 3 : n * 9) }))
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const found = await logins({ userId: person, pageSize: '5', ...(after && { after }) })
    expect(searchLogins.output.parse(found)).toEqual(found)
    seen.push(...idsOf(found))
    after = found.next
  }
  expect(seen.toSorted()).toEqual(written.toSorted())
})

test('a search goes back to the beginning of the log or of the period, and says that it is complete', async () => {
  const person = await insertPerson(server)
  const recent = await insertLoginRecord(server, person, { at: ago(2) })
  await insertLoginRecord(server, person, { at: ago(200) })
  const from = ago(20).toISOString()
  const found = await logins({ userId: person, from })
  expect(idsOf(found)).toEqual([recent])
  expect(found).toMatchObject({ next: null, searchedBackTo: null })
  expect(idsOf(await logins({ userId: person, from, to: ago(10).toISOString() }))).toEqual([])
})

test('each filter finds its records, and excluded ones are left out', async () => {
  const person = await addPerson(server, { account: 'filtered', name: '王小明' })
  const common = { ip: '198.51.100.7', browser: 'Edge 140', device: 'Surface', clientType: 'tablet', onCampus: true }
  const session = v7()
  const plain = await insertLoginRecord(server, person, { ...common, ssoSessionId: session, account: 'filtered' })
  const refused = { ...common, ip: '198.51.100.71', succeeded: false, reason: 'password.wrong', account: 'filtered' }
  const failed = await insertLoginRecord(server, person, { ...refused, at: ago(1), authType: 'wecom' })
  await server.platform.sql`
    update login_records set second_factor = 'totp', ip_range = 'Library',
      rule_outcomes = ${JSON.stringify([{ rule: session, name: 'At night', outcome: 'notify', mode: 'report' }])}::text::jsonb
    where id = ${plain}`
  await server.platform.sql`update login_records set request_id = 'asked-once' where id = ${failed}`
  const [organizationId, categoryId] = [v7(), v7()]
  await server.platform.sql`
    with place as (
      insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
      values (${organizationId}, 'filtered', 'Filtered', array[${organizationId}::uuid], now(), now())
      returning id),
    kind as (insert into user_categories (id, code, name) values (${categoryId}, 'filtered', 'Filtered') returning id)
    update users set organization_id = place.id, category_id = kind.id from place, kind where users.id = ${person}`
  const both = [plain, failed]
  for (const [query, expected] of [
    [{ search: '王小明' }, both],
    [{ search: 'wangxiaom' }, both],
    [{ search: '李小明' }, []],
    [{ account: 'filt' }, both],
    [{ account: 'filtered%' }, []],
    [{ ip: '198.51.100.7' }, [plain]],
    [{ ip: '198.51.100.' }, both],
    [{ ip: '198.51.100.64/27' }, [failed]],
    [{ ip: '198.51.10' }, both],
    [{ ip: '198.51.2' }, []],
    [{ ip: '/:' }, []],
    [{ ip: '.:5' }, []],
    [{ ip: '198.51.100.7:' }, []],
    [{ session }, [plain]],
    [{ userId: person, result: '0' }, [failed]],
    [{ userId: person, result: '1' }, [plain]],
    [{ userId: person, reason: 'password.wrong' }, [failed]],
    [{ userId: person, authType: 'third-party' }, [failed]],
    [{ userId: person, authType: 'user' }, [plain]],
    [{ userId: person, factor: 'totp' }, [plain]],
    [{ userId: person, factor: 'none' }, [failed]],
    [{ userId: person, ipRange: 'Library' }, [plain]],
    [{ userId: person, clientType: 'tablet', browser: 'Edge 140', device: 'Surface', onCampus: '1' }, both],
    [{ userId: person, onCampus: '0' }, []],
    [{ userId: person, applicationId: 'portal' }, both],
    [{ userId: person, applicationId: session }, []],
    [{ rule: session }, [plain]],
    [{ userId: person, ruleOutcome: 'would-notify' }, [plain]],
    [{ userId: person, ruleOutcome: 'notify' }, []],
    [{ userId: person, ruleOutcome: 'would-refuse' }, []],
    [{ rule: session, ruleOutcome: 'would-notify' }, [plain]],
    [{ rule: person, ruleOutcome: 'would-notify' }, []],
    [{ userId: person, without: 'ip=198.51.100.71' }, [plain]],
    [{ userId: person, without: 'ip=198.51.100.71&ipRange=Library' }, []],
    [{ userId: person, without: 'applicationId=portal' }, []],
    [{ userId: person, without: 'reason=password.wrong' }, [plain]],
    [{ accountIs: 'filtered' }, both],
    [{ accountIs: 'filt' }, []],
    [{ userId: person, requestId: 'asked-once' }, [failed]],
    [{ userId: person, without: 'requestId=asked-once' }, [plain]],
    [{ userId: person, organizationId }, both],
    [{ userId: person, without: `organizationId=${organizationId}` }, []],
    [{ userId: person, without: `organizationId=${session}` }, both],
    [{ userId: person, without: `categoryId=${categoryId}` }, []],
    [{ userId: person, without: 'categoryId=none' }, both],
    [{ userId: person, without: 'factor=totp' }, [failed]],
    [{ userId: person, without: 'factor=none' }, [plain]],
    [{ userId: person, without: 'accountIs=filtered' }, []],
    [{ userId: person, without: `rule=${session}` }, [failed]],
  ] as const) {
    expect([query, await idsOfAll(query)]).toEqual([query, expected])
  }
  expect(await idsOfAll({ account: 'filt', without: `userId=${person}` })).toEqual([])
})

test('the names of filtered and excluded ids come with the records, in the caller’s scope only', async () => {
  const dean = await openPortal(server, { account: 'naming-dean', permissions: [] })
  const person = await addPerson(server, { account: 'named', name: '李四' })
  const application = await addCasApplication(server, { appId: 'naming', name: 'Naming' })
  const query = { userId: person, without: `applicationId=${application}&userId=${v7()}` }
  expect((await logins(query)).names).toEqual({ [person]: '李四 named', [application]: 'Naming' })
  expect((await logins(query, dean)).names).toEqual({ [application]: 'Naming' })
})

test.each([
  ['without', 'colour=red'],
  ['ip', '10.0.0.x'],
  ['after', '2026-13-01T00:00:00.000000Z'],
  ['pageSize', '1000'],
  ['from', 'yesterday'],
])('%s=%s is rejected by its name', async (name, value) => {
  const { status, envelope } = await admin.call(`/login_log/query/?${new URLSearchParams({ [name]: value })}`)
  expect([status, envelope.code]).toEqual([400, 'request.invalid'])
  expect(JSON.stringify(envelope)).toContain(name)
})

test('the lines of somebody who was deleted are found by the name as those of everybody', async () => {
  const former = await addPerson(server, { account: 'former-person', name: '欧阳云飞' })
  const present = await addPerson(server, { account: 'present-person', name: '欧阳云飞' })
  const lines = [await insertLoginRecord(server, former, { at: ago(3) }), await insertLoginRecord(server, present)]
  await server.platform.sql`update users set deleted_at = now() where id = ${former}`
  for (const search of ['欧阳云飞', '云飞', 'ouyangyunfei', 'oyyf']) {
    expect((await idsOfAll({ search })).toSorted(), search).toEqual(lines.toSorted())
  }
  expect(await idsOfAll({ search: 'former-person' })).toEqual(lines.slice(0, 1))
})

test('a line opens by its key, with what the rules said and what became of the session', async () => {
  await addCasApplication(server, { appId: 'library', name: 'Library' })
  const userId = await addPerson(server, { account: 'opened' })
  const browser = await logIn(server, 'opened')
  await validateP3(server, 'https://library.test/', await ticketFor(browser, 'https://library.test/'))
  const [line] = (await logins({ userId })).records
  const { data } = await admin.call<LoginLogLine>(`/login_log/details/?key=${encodeURIComponent(line?.key ?? '')}`)
  expect(data).toMatchObject({
    ...line,
    sessionState: { endedAt: null, endReason: null },
    deliveries: [{ notTold: 1 }],
  })
  const unknown = await admin.call(`/login_log/details/?key=${line?.key.slice(0, 28)}${v7()}`)
  expect([unknown.status, unknown.envelope.code]).toEqual([404, 'record.not-found'])
})

test('a scoped administrator finds and opens the records of their own people only', async () => {
  const dean = await openPortal(server, { account: 'dean', permissions: [] })
  const [{ id: organizationId } = { id: '' }] = await server.platform.sql<{ id: string }[]>`
    select organization_id as id from appointments where user_id = ${dean.user.userId}`
  const own = await insertPerson(server)
  const other = await insertPerson(server)
  await server.platform.sql`update users set organization_id = ${organizationId} where id = ${own}`
  const line = await insertLoginRecord(server, own, { ip: '203.0.113.5' })
  await insertLoginRecord(server, other, { ip: '203.0.113.5' })
  await server.platform.sql`update login_records set user_id = null where user_id = ${other} and ip = '203.0.113.6'`
  expect(idsOf(await logins({ ip: '203.0.113.5' }, dean))).toEqual([line])
  expect(idsOf(await logins({ userId: other }, dean))).toEqual([])
  const [foreign] = (await logins({ userId: other })).records
  const { status } = await dean.call(`/login_log/details/?key=${encodeURIComponent(foreign?.key ?? '')}`)
  expect(status).toBe(404)
  expect((await logins({ organizationId, search: 'nobody at all' })).records).toEqual([])
})

test('a person refused by an application leaves a record with the reason, which does not count as a visit', async () => {
  await addCasApplication(server, { appId: 'archive', name: 'Archive', type: 'system' })
  const userId = await addPerson(server, { account: 'outsider' })
  const browser = await logIn(server, 'outsider')
  for (let n = 0; n < 8; n++) expect((await openService(browser, 'https://archive.test/')).status).toBe(403)
  const found = await visits({ userId, result: '0' })
  expect(found.records).toHaveLength(5)
  expect(found.records[0]).toMatchObject({
    application: 'Archive',
    succeeded: false,
    reason: 'application.not-granted',
    entry: 'sign-on',
    protocol: 'cas',
  })
  expect((await visits({ userId, result: '1' })).records).toEqual([])
  expect((await visits({ userId, without: 'reason=application.not-granted' })).records).toEqual([])
  expect((await visits({ userId, without: 'protocol=cas' })).records).toEqual([])
  expect((await visits({ userId, without: 'protocol=oauth2' })).records).toHaveLength(5)
  await changeApplication(server, 'archive', { enabled: false })
  await openService(browser, 'https://archive.test/')
  expect((await openService(createBrowser(server), 'https://archive.test/')).status).toBe(403)
  const portal = await openPortal(server, { userId })
  expect((await portal.call<Found<VisitLogLine>>('/certification_record/application/')).data.records).toEqual([])
})

test('a login with a second factor and a visit keep how and from where', async () => {
  const userId = await addPerson(server, { account: 'visitor' })
  const browser = await logIn(server, 'visitor')
  await addCasApplication(server, { appId: 'shop', name: 'Shop' })
  await openService(browser, 'https://shop.test/')
  const [login] = (await logins({ userId })).records
  const [visit] = (await visits({ session: login?.session ?? '' })).records
  expect(visit).toMatchObject({
    application: 'Shop',
    succeeded: true,
    session: login?.session,
    personAccount: 'visitor',
  })
  expect(login).toMatchObject({ factor: null, succeeded: true, rules: [], account: 'visitor' })
})
