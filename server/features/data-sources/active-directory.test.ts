import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceTest } from '#shared/contract/data-sources.ts'
import { type ActiveDirectory, AD_READER, sid, startActiveDirectory } from '../../testing/active-directory.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const PEOPLE = 2300
const DOMAIN = AD_READER.database

const guid = (at: number) => Buffer.from(`33221100554477668899${String(at).padStart(12, '0')}`, 'hex')

const person = (at: number) => ({
  dn: `CN=Li\\, Lei ${at},OU=Staff,${DOMAIN}`,
  kind: 'person' as const,
  values: {
    objectGUID: [guid(at)],
    objectSid: [sid(2000 + at)],
    sAMAccountName: [`s${at}`],
    displayName: [`李雷 ${at}`],
    userAccountControl: [at === 7 ? '514' : '512'],
    primaryGroupID: ['513'],
    accountExpires: [at === 8 ? '133801632000000000' : '9223372036854775807'],
    memberOf: Array.from({ length: at === 9 ? 3200 : 1 }, (_, group) => `CN=g${group}`),
    allowedAttributesEffective: at === 0 ? ['telephoneNumber'] : [],
    unicodePwd: ['never'],
  },
})

let server: TestServer
let root: Portal
let directory: ActiveDirectory
let given: Record<string, unknown>
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const users = { dn: `CN=Domain Users,CN=Users,${DOMAIN}`, kind: 'group' as const, values: { objectSid: [sid(513)] } }
  directory = await startActiveDirectory([users, ...Array.from({ length: PEOPLE }, (_, at) => person(at))])
  given = { ...AD_READER, name: 'AD', kind: 'ad', host: '127.0.0.1', port: directory.port, tls: 'off' }
})
afterAll(async () => {
  await directory.close()
  await server.close()
})

const look = async (more: object = {}) =>
  (await root.call<SourceTest>('/data_source/test/', { body: { ...given, table: 'people', ...more } })).data

test('all people of Active Directory are counted, a thousand per page, even with an empty page in between', async () => {
  directory.trouble.emptyPage = 2
  const found = await look({ keyColumn: 'objectGUID' })
  directory.trouble.emptyPage = null
  expect(found).toMatchObject({ isOk: true, count: PEOPLE, key: { repeated: 0, empty: 0 } })
  expect(found.server).toBe('Active Directory dc1.school.example')
  expect(found.steps.map(({ step, isOk }) => [step, isOk])).toEqual(
    ['connect', 'tables', 'columns', 'rows', 'rights', 'count', 'key'].map((step) => [step, true]),
  )
})

test('its columns are known and suggested; passwords are not among them, and write access is reported', async () => {
  const { columns, rows, mayWrite, isEncrypted } = await look()
  const names = columns.map(({ name }) => name)
  expect(names).not.toContain('unicodePwd')
  expect(Object.fromEntries(columns.map(({ name, suggested }) => [name, suggested]))).toMatchObject({
    sAMAccountName: 'account',
    displayName: 'name',
    enabled: 'enabled',
    accountExpires: 'validUntil',
  })
  expect(rows).toHaveLength(20)
  expect([mayWrite, isEncrypted]).toEqual([true, false])
})

test.each([
  {
    what: 'a connection that ends between pages does not look like a smaller directory',
    trouble: 'endsAtPage',
    page: 3,
    problem: 'cut-off',
  },
  {
    what: 'a server that returns the same page for ever is reported at the second time',
    trouble: 'repeatedPage',
    page: 2,
    problem: 'repeated-page',
  },
  {
    what: 'a server that goes on with empty pages for ever is reported as one without an end',
    trouble: 'emptyFromPage',
    page: 2,
    problem: 'limited',
  },
] as const)('$what', async ({ trouble, page, problem }) => {
  directory.trouble[trouble] = page
  const found = await look()
  directory.trouble[trouble] = null
  expect(found).toMatchObject({ isOk: false, problem, count: 0 })
  expect(found.steps.at(-1)).toMatchObject({ step: 'count', isOk: false })
})

test('a wrong password, base or filter is reported at its field', async () => {
  expect(await look({ password: 'wrong' })).toMatchObject({
    problem: 'login-refused',
    steps: [{ step: 'connect', isOk: false }],
  })
  expect((await look({ database: 'OU=Nowhere,DC=school,DC=example' })).problem).toBe('no-database')
  const create = (more: object) => root.call('/data_source/create/', { body: { ...given, name: 'X', ...more } })
  const filter = await create({ options: { peopleFilter: '(uid=a' } })
  expect(filter.envelope).toMatchObject({ code: 'data-source.bad-filter', data: { fields: ['options.peopleFilter'] } })
  expect((await create({ password: '' })).envelope).toMatchObject({
    code: 'data-source.incomplete',
    data: { fields: ['password'] },
  })
})

test('a password entered for an encrypted directory is not sent before encryption begins', async () => {
  const { data: made } = await root.call<{ id: string }>('/data_source/create/', { body: { ...given, name: 'Kept' } })
  const moved = { ...given, id: made.id, password: '******', options: { startTls: true } }
  const before = directory.logins.length
  expect((await root.call('/data_source/test/', { body: moved })).envelope.code).toBe('settings.secret-needed')
  expect((await look({ tls: 'verify', options: { startTls: true } })).problem).toBe('tls')
  expect(directory.logins.length).toBe(before)
})
