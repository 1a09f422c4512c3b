import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { MAIL_PROVIDERS, startSimulator } from '../../../tools/simulators/index.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { ADDRESS_BOOKS, type BookPerson, ConnectorFault } from '../index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const KEYS = ['exmail', 'coremail'] as const
const ADDRESS = 'ada@example.edu'
const FIELDS = { name: 'Ada', mobile: '13912345678', departments: [1] }

/** The mailboxes of a provider; waiting for it moves the clock. */
async function open(key: (typeof KEYS)[number]) {
  const simulator = await startSimulator(MAIL_PROVIDERS[key], {
    trustedOrigin: server.url,
    now: server.platform.now,
  })
  onTestFinished(() => simulator.close())
  const waits: number[] = []
  const wait = async (ms: number) => {
    waits.push(ms)
    server.advance(Math.ceil(ms / 1000))
  }
  const coremail = { orgId: 'a', providerId: '1', cosId: '1' }
  const settings = { ...MAIL_PROVIDERS[key].contacts?.(simulator.url), coremail }
  const book = ADDRESS_BOOKS[key](server.platform, settings as never, { wait })
  const named = async (...addresses: string[]) => {
    const found: BookPerson[] = []
    for await (const one of book.mailboxes?.(addresses) ?? []) found.push(one)
    return found.map(({ id }) => id)
  }
  return { simulator, book, waits, named }
}

const faultOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof ConnectorFault)) throw error
  return [error.reason, error.vendorCode]
}

test.each(KEYS)('%s: a mailbox is created, changed, disabled and enabled, and can be read', async (key) => {
  const { book, named } = await open(key)
  expect(await book.person(ADDRESS)).toBe(null)
  await book.createPerson(ADDRESS, FIELDS)
  await book.createPerson('bob@example.edu', { ...FIELDS, name: 'Bob' })
  expect(await book.person(ADDRESS)).toMatchObject({
    id: ADDRESS,
    name: 'Ada',
    mobile: '13912345678',
    isDisabled: false,
  })
  expect(await named(ADDRESS, 'nobody@example.edu')).toEqual([ADDRESS])
  for (const isDisabled of [true, false]) {
    await book.updatePerson(ADDRESS, { isDisabled })
    expect(await book.person(ADDRESS)).toMatchObject({ isDisabled, name: 'Ada' })
  }
  await book.updatePerson(ADDRESS, { name: 'Ada B' })
  expect((await book.person(ADDRESS))?.name).toBe('Ada B')
  const exists = key === 'exmail' ? '60102' : '8'
  expect(await faultOf(book.createPerson(ADDRESS, FIELDS))).toEqual(['refused', exists])
})

test.each(KEYS)(
  '%s: after too many calls it waits a minute; a lost read is retried, a lost write is not',
  async (key) => {
    const { book, simulator, waits } = await open(key)
    await book.createPerson(ADDRESS, FIELDS)
    simulator.book.perMinute = 3
    for (let at = 0; at < 5; at++) expect(await book.person(ADDRESS)).toMatchObject({ name: 'Ada' })
    expect(Math.max(...waits)).toBeGreaterThan(50_000)
    simulator.book.perMinute = null
    waits.length = 0
    simulator.trouble = { book: 'error' }
    expect((await faultOf(book.person(ADDRESS)))[0]).toBe('unavailable')
    expect(waits).toHaveLength(2)
    expect((await faultOf(book.updatePerson(ADDRESS, { isDisabled: true })))[0]).toBe('unavailable')
    expect(waits).toHaveLength(2)
  },
)

test.each(KEYS)('%s: a revoked token is renewed, once', async (key) => {
  const { book, simulator } = await open(key)
  await book.createPerson(ADDRESS, FIELDS)
  simulator.revokeTokens()
  expect(await book.person(ADDRESS)).toMatchObject({ id: ADDRESS })
  expect(simulator.calls.filter((call) => /token/i.test(call))).toHaveLength(2)
})

test('Coremail creates mailboxes in an organisation and class of service that it knows', async () => {
  const { simulator } = await open('coremail')
  const settings = { ...MAIL_PROVIDERS.coremail.contacts?.(simulator.url) }
  const at = (coremail: object) =>
    ADDRESS_BOOKS.coremail(server.platform, { ...settings, coremail } as never, { wait: async () => undefined })
  const right = { orgId: 'a', providerId: '1', cosId: '1' }
  expect(await faultOf(at({ ...right, orgId: 'b' }).createPerson(ADDRESS, FIELDS))).toEqual(['misconfigured', '51'])
  expect(await faultOf(at({ ...right, cosId: '7' }).createPerson(ADDRESS, FIELDS))).toEqual(['misconfigured', '50'])
})

test('Exmail is read department by department, and a mailbox in two of them is read once', async () => {
  const { book, simulator, named } = await open('exmail')
  for (const id of [7, 8]) simulator.book.departments.set(id, { id, name: `Department ${id}`, parentId: 1, order: id })
  await book.createPerson(ADDRESS, { ...FIELDS, departments: [7, 8] })
  await book.createPerson('bob@example.edu', { ...FIELDS, name: 'Bob', departments: [8] })
  expect(await named('bob@example.edu', ADDRESS)).toEqual([ADDRESS, 'bob@example.edu'])
  expect(simulator.calls.filter((call) => call === 'GET /cgi-bin/user/list')).toHaveLength(
    simulator.book.departments.size,
  )
})

test('an answer of Exmail without its list is a fault, not a provider without mailboxes', async () => {
  const { book, simulator, named } = await open('exmail')
  await book.createPerson(ADDRESS, FIELDS)
  simulator.trouble = { book: 'empty' }
  expect(await faultOf(named(ADDRESS))).toEqual(['unusable', null])
})

test('only the state that we set counts as disabled at Coremail; another one is told', async () => {
  const { book, simulator } = await open('coremail')
  await book.createPerson(ADDRESS, FIELDS)
  Object.assign(simulator.mailboxes.get(ADDRESS) ?? {}, { state: '4' })
  expect(await book.person(ADDRESS)).toMatchObject({ isDisabled: false, unknownState: '4' })
})
