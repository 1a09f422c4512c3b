import { afterAll, beforeAll, expect, test } from 'vitest'
import { CustomField } from '#shared/contract/custom-fields.ts'
import type { UserDetails, UserRow } from '#shared/contract/users.ts'
import { ticketFor, validateP3 } from '../../testing/cas.ts'
import { importFile, reportOf } from '../../testing/imports.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setFieldRules, setPolicy } from '../../testing/sign-in.ts'
import { signedFetch } from '../../testing/signed.ts'
import { runTasks } from '../../testing/tasks.ts'
import { importTasks } from '../user-imports/index.ts'

const field = (given: object) => CustomField.parse({ kind: 'text', name: 'Any', ...given })
const DORM = field({ key: 'dorm', name: 'Dormitory', names: { zh_CN: '宿舍' } })
const CARD = field({ key: 'campusCard', name: 'Campus card', isUnique: true })
const JOINED = field({ key: 'joined', name: 'Joined on', kind: 'date' })
const GRANT = field({
  key: 'grantKind',
  name: 'Grant',
  kind: 'choice',
  choices: [
    { code: 'full', name: 'Full grant' },
    { code: 'half', name: 'Half grant' },
  ],
})
const HOME = 'https://library.test/'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  await setPolicy(server, { secondFactorSuperUsers: false })
  page = await openPortal(server, { userId: await addPerson(server, { account: 'root', isSuperUser: true }) })
  await setFieldRules(server, { custom: [DORM, CARD, JOINED, GRANT] })
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())

const FILE = [
  'account,name,宿舍,Campus card,joined,Grant',
  'f-1,Lin,3-201,K-1,2024/9/1,Half grant',
  'f-2,Wu,3-202,K-2,20240902,full',
  'f-3,He,3-203,K-1,2024-09-01,half',
  'f-4,Xu,,,2024-02-31,quarter',
].join('\n')

const list = async (query: string) =>
  (await page.call<{ records: UserRow[]; total: number }>(`/user_information/query/?${query}`)).data
const found = async (values: Record<string, string>) =>
  (await list(new URLSearchParams({ custom: new URLSearchParams(values).toString() }).toString())).records.map(
    ({ account }) => account,
  )

test('an import fills custom fields by name under the same rules, and the list filters by them', async () => {
  await runTasks(server, importTasks)
  const run = await importFile(page, FILE)
  expect(run.counts).toMatchObject({ written: 2, bad: 2 })
  const report = await reportOf(page, run.id)
  expect(report.map(({ problems }) => problems.map(({ column }) => column))).toEqual([
    [],
    [],
    ['Campus card'],
    ['joined', 'Grant'],
  ])
  expect(await found({ grantKind: 'half' })).toEqual(['f-1'])
  expect(await found({ joined: '2024-09-02', dorm: '3-202' })).toEqual(['f-2'])
  expect(await found({ dorm: '3-2' })).toEqual([])
  expect(await found({ nothing: 'x' })).toEqual([])
  const bad = await page.call('/user_information/query/?custom=a-b%3Dc')
  expect(bad.status).toBe(400)
  const [row] = (await list('search=f-1')).records
  expect(row?.custom).toEqual({ dorm: '3-201', campusCard: 'K-1', joined: '2024-09-01', grantKind: 'half' })
})

test('importing an export again changes nothing', async () => {
  await runTasks(server, importTasks)
  const answer = await signedFetch(server, '/user_information/export/?format=csv&search=f-', {
    token: page.token,
    cookie: page.browser.cookieHeader('/auth_service/'),
  })
  const file = await answer.text()
  expect(file).toContain('Dormitory')
  const again = await importFile(page, file)
  expect(again.counts).toMatchObject({ unchanged: 2, bad: 0, changed: 0 })
})

test('an application receives the fields that its list names, and none of them can be removed meanwhile', async () => {
  await changeApplication(server, 'library', {
    attributes: [
      { name: 'room', from: 'custom.dorm' },
      { name: 'grant', from: 'custom.grantKind' },
      { name: 'gone', from: 'custom.nothing' },
    ],
  })
  await addPerson(server, { account: 'reader' })
  await server.platform
    .sql`update users set custom_values = '{"dorm": "7-1", "campusCard": "K-7"}' where account = 'reader'`
  const ticket = await ticketFor(await logIn(server, 'reader'), HOME)
  const { text } = await validateP3(server, HOME, ticket)
  expect(text).toContain('<cas:room>7-1</cas:room>')
  expect(text).not.toMatch(/cas:(grant|gone)>/)
  const { data } = await page.call<{ version: number }>('/account_field_rules/details/')
  const removed = await page.call('/account_field_rules/update/', {
    body: { version: data.version, changes: { custom: [{ ...DORM, isRemoved: true }, CARD, JOINED, GRANT] } },
  })
  expect(removed).toMatchObject({ status: 409, envelope: { code: 'account-fields.custom-released' } })
})

test('a sensitive value is in no list, and is searchable only by those who may edit the person', async () => {
  await setFieldRules(server, { custom: [DORM, { ...CARD, isSensitive: true }, JOINED, GRANT] })
  const [row] = (await list('search=f-2')).records
  expect(row?.custom).not.toHaveProperty('campusCard')
  const details = await page.call<UserDetails>(`/user_information/${row?.id}/full_details/`)
  expect(details.data.custom).toHaveProperty('campusCard', 'K-2')
  expect(await found({ campusCard: 'K-2' })).toEqual(['f-2'])
})
