import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type listRuleOutcomes,
  MAX_SEARCHED_OUTCOMES,
  type RuleLogin,
  SETTINGS_RULES,
  type testAccessRules,
} from '#shared/contract/access-rules.ts'
import type { Output } from '../../platform/http/mount.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
let ann = ''
let lab = ''
const ids: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer(BEHIND_PROXY)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  await root.call('/user_category/create/', { body: { code: 'student', name: 'Student' } })
  ann = await addPerson(server, { account: 'ann', category: 'student' })
  const range = { name: 'Lab', kind: 'other', networks: ['10.9.0.0/16'] }
  lab = (await root.call<{ id: string }>('/ip_range/create/', { body: range })).data.id
  const rule = async (name: string, body: object) => {
    const made = await root.call<{ id: string }>('/access_rule/create/', { body: { name, mode: 'on', ...body } })
    ids[name] = made.data.id
  }
  await rule('Refused', { outcome: 'refuse', who: { categories: ['student'] }, where: { ranges: [lab] } })
  await rule('Reported', { outcome: 'refuse', mode: 'report', where: { ranges: [lab] } })
  await rule('Told', { outcome: 'notify', where: { ranges: [lab] } })
})
afterAll(() => server.close())

type Tested = Output<typeof testAccessRules>
const ask = async (body: object) => (await root.call<Tested>('/access_rule/test/', { body })).data
const rowOf = (tested: Tested, name: string) => tested.rules.find(({ id }) => id === ids[name])

test('the tester names the rule that decides and what each of the others says', async () => {
  const tested = await ask({ userId: ann, ip: '::ffff:10.9.0.7' })
  expect(tested).toMatchObject({ ip: '10.9.0.7', range: { id: lab, shownName: 'Lab' }, outcome: 'refuse' })
  expect(tested.decidedBy).toBe(ids['Refused'])
  expect(tested.rules).toHaveLength(7)
  expect(rowOf(tested, 'Reported')).toMatchObject({ applies: true, mode: 'report' })
  const elsewhere = await ask({ userId: ann, ip: '192.0.2.1' })
  expect([elsewhere.outcome, elsewhere.decidedBy]).toEqual([null, null])
  expect(rowOf(elsewhere, 'Refused')?.unless).toEqual(['where'])
  const nobody = await ask({ ip: '10.9.0.7' })
  expect([nobody.decidedBy, rowOf(nobody, 'Refused')?.unless]).toEqual([ids['Told'], ['who']])
  // A request from a server.
  expect((await ask({ userId: ann, ip: null })).outcome).toBeNull()
})

test('an empty list of the login configuration would apply to nobody', async () => {
  const { rules } = await ask({ userId: ann, ip: '192.0.2.1' })
  const unlessOf = (key: keyof typeof SETTINGS_RULES) => rules.find(({ id }) => id === SETTINGS_RULES[key])?.unless
  expect([unlessOf('secondFactorCategories'), unlessOf('secondFactorApplications')]).toEqual([
    ['who'],
    ['applications'],
  ])
  expect(unlessOf('secondFactorOffCampus')).toEqual([])
})

test('the tester does not promise a login to somebody whose account is refused, at the time asked for', async () => {
  const frozen = await addPerson(server, { account: 'frozen' })
  const until = new Date(server.platform.now().getTime() + 86_400_000)
  await server.platform
    .sql`update users set frozen_from = ${server.platform.now()}, frozen_until = ${until} where id = ${frozen}`
  expect((await ask({ userId: frozen, ip: '192.0.2.1' })).obstacles).toEqual(['account.frozen'])
  const later = new Date(until.getTime() + 1000).toISOString()
  expect((await ask({ userId: frozen, ip: '192.0.2.1', at: later })).obstacles).toEqual([])
  expect((await ask({ ip: '192.0.2.1' })).obstacles).toEqual([])
})

test('the tester rejects unknown references, and names them', async () => {
  const codeOf = async (body: object) => (await root.call('/access_rule/test/', { body })).envelope
  expect(await codeOf({ ip: '10.9' })).toMatchObject({ code: 'ip-range.bad-address', data: { fields: ['ip'] } })
  expect(await codeOf({ appId: 'none' })).toMatchObject({ code: 'application.not-found', data: { fields: ['appId'] } })
  expect(await codeOf({ userId: lab })).toMatchObject({ code: 'user.not-found', data: { fields: ['userId'] } })
})

test('the tester’s prediction matches the real login, and the log is filtered by it', async () => {
  await addPerson(server, { account: 'bob' })
  expect((await attempt(server, 'ann', PASSWORD, { from: '10.9.0.7' })).code).toBe('sign-in.rule-refused')
  expect((await attempt(server, 'bob', PASSWORD, { from: '10.9.0.7' })).code).toBe('')
  expect((await attempt(server, 'bob', PASSWORD, { from: '192.0.2.1' })).code).toBe('')
  const logins = async (query: string) =>
    (await root.call<{ records: RuleLogin[] }>(`/access_rule/outcomes/?${query}`)).data.records
  const accounts = async (query: string) => (await logins(query)).map(({ account }) => account)
  expect(await accounts('')).toEqual(['bob', 'ann'])
  expect(await accounts(`rule=${ids['Refused']}`)).toEqual(['ann'])
  expect(await accounts('outcome=refuse&did=0&sort=at')).toEqual(['ann', 'bob'])
  expect(await accounts('outcome=refuse&did=1')).toEqual(['ann'])
  expect(await accounts(`rule=${ids['Told']}&did=0`)).toEqual([])
  expect(await accounts('search=bo')).toEqual(['bob'])
  const [first] = await logins('search=ann')
  expect(first).toMatchObject({ ipRange: 'Lab', succeeded: false, reason: 'rule.refused', person: { id: ann } })
  expect(first?.outcomes.map(({ name, did }) => [name, did])).toEqual([
    ['Refused', true],
    ['Reported', false],
    ['Told', true],
  ])
  server.advance(8 * 24 * 3600)
  root = await openPortal(server, { isSuperUser: true, account: 'root2' })
  expect(await accounts('')).toEqual([])
})

test('a rarely applied rule is searched among the newest logins, and the answer says how far back', async () => {
  const outcomes = async (query: string) =>
    (await root.call<Output<typeof listRuleOutcomes>>(`/access_rule/outcomes/?rule=${ids['Refused']}${query}`)).data
  const insert = (rule: string, count: number, daysAgo: number) => server.platform.sql`
    insert into login_records (id, at, account, ip, succeeded, auth_type, client_type, user_agent, browser, device, on_campus,
      request_id, rule_outcomes)
    select gen_random_uuid(), ${server.platform.now()}::timestamptz - make_interval(days => ${daysAgo}) - n * interval '1 second',
      'carl', '10.9.0.7', true, 'password', 'web', '', '', '', false, '', jsonb_build_array(jsonb_build_object(
        'rule', ${rule}::text, 'name', 'Any', 'outcome', 'refuse', 'mode', 'on'))
    from generate_series(1, ${count}) n`
  await insert(ids['Refused'] ?? '', 1, 4)
  expect(await outcomes('')).toMatchObject({ records: [{ account: 'carl' }], searchedBackTo: null })
  await insert(ids['Told'] ?? '', MAX_SEARCHED_OUTCOMES, 1)
  const { records, searchedBackTo } = await outcomes('')
  expect(records).toEqual([])
  expect((await outcomes(`&to=${searchedBackTo}`)).records[0]).toMatchObject({ account: 'carl' })
})
