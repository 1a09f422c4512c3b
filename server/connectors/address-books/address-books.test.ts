import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Simulator, startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { ADDRESS_BOOKS, ConnectorFault, type OpenAddressBook } from '../index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const KEYS = ['qywx', 'dingding'] as const
type Key = (typeof KEYS)[number]
type Opened = { simulator: Simulator; book: OpenAddressBook; waits: number[] }

/** A vendor's address book; waiting for it moves the clock. */
async function open(key: Key, secret?: string): Promise<Opened> {
  const simulator = await startSimulator(VENDORS[key], { trustedOrigin: server.url, now: server.platform.now })
  onTestFinished(() => simulator.close())
  const settings = VENDORS[key].contacts?.(simulator.url)
  if (!settings) throw new Error('no address book')
  const waits: number[] = []
  const wait = async (ms: number) => {
    waits.push(ms)
    server.advance(Math.ceil(ms / 1000))
  }
  const given = { ...settings, ...(secret && { secret }) }
  return { simulator, waits, book: ADDRESS_BOOKS[key](server.platform, given, { wait }) }
}

const faultOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof ConnectorFault)) throw error
  return { reason: error.reason, code: error.vendorCode }
}

test.each(KEYS)('%s: what is visible is read, parents first', async (key) => {
  const { book } = await open(key)
  expect((await book.departments(1)).map(({ id, parentId }) => [id, parentId])).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 3],
  ])
  expect(await book.people(4)).toMatchObject([{ id: 'HanMeimei', departments: [4, 2], hasJoined: true }])
  expect(await book.person('wanghong').catch((error: ConnectorFault) => error.reason)).toBe('not-visible')
  expect(await book.person('nobody')).toBe(null)
  expect((await faultOf(book.departments(77))).code).toBe('60003')
})

test.each(KEYS)('%s: departments and people are created, changed, moved and deleted', async (key) => {
  const { book } = await open(key)
  const id = await book.createDepartment({ name: 'Physics', parentId: 3 })
  await book.updateDepartment(id, { name: 'Optics', parentId: 1 })
  expect(await book.department(id)).toEqual({ id, name: 'Optics', parentId: 1 })
  await book.createPerson('t1', { name: 'T', mobile: '13912345678', email: 't@x.example', departments: [id, 2] })
  expect(await book.person('t1')).toMatchObject({ mobile: '13912345678', departments: [id, 2], hasJoined: false })
  await book.updatePerson('t1', { name: 'Tina', departments: [2] })
  expect(await book.person('t1')).toMatchObject({ name: 'Tina', email: 't@x.example', departments: [2] })
  await book.deleteDepartment(id)
  expect(await book.department(id)).toBe(null)
  await book.deletePerson('t1')
  expect(await book.person('t1')).toBe(null)
})

test('WeCom disables a person and enables them again', async () => {
  const { book } = await open('qywx')
  for (const isDisabled of [true, false]) {
    await book.updatePerson('LiLei', { isDisabled })
    expect((await book.person('LiLei'))?.isDisabled).toBe(isDisabled)
  }
})

test.each(KEYS)('%s: a rejection is reported by its code', async (key) => {
  const { book, simulator } = await open(key)
  const someone = { name: 'T', mobile: '13912345678', departments: [2] }
  await book.createPerson('t1', someone)
  expect(await faultOf(book.createPerson('t2', someone))).toEqual({ reason: 'refused', code: '60104' })
  expect((await faultOf(book.deleteDepartment(2))).code).toBe('60005')
  expect((await faultOf(book.createDepartment({ name: '信息中心', parentId: 1 }))).code).toBe('60008')
  simulator.book.isWritable = false
  const code = key === 'qywx' ? '48002' : '60011'
  expect(await faultOf(book.deletePerson('t1'))).toEqual({ reason: 'misconfigured', code })
})

test.each(KEYS)('%s: a revoked token is renewed, once', async (key) => {
  const { book, simulator } = await open(key)
  await book.person('LiLei')
  simulator.revokeTokens()
  expect(await book.person('LiLei')).toMatchObject({ id: 'LiLei' })
  expect(simulator.calls.filter((call) => call.endsWith('gettoken'))).toHaveLength(2)
})

test.each(KEYS)('%s: after too many calls it waits a minute', async (key) => {
  const { book, simulator, waits } = await open(key)
  simulator.book.perMinute = 3
  for (let at = 0; at < 5; at++) expect(await book.person('LiLei')).toMatchObject({ id: 'LiLei' })
  expect(waits.length).toBeGreaterThan(0)
  expect(Math.max(...waits)).toBeGreaterThan(50_000)
})

test('DingTalk is called no more often in a minute than its budget allows', async () => {
  const { book, simulator, waits } = await open('dingding')
  for (let at = 0; at < 601; at++) await book.person('LiLei')
  expect(waits).toHaveLength(1)
  expect(simulator.calls.filter((call) => call.endsWith('/user/get'))).toHaveLength(601)
}, 120_000)

test.each(KEYS)('%s: a lost read is retried, a lost write is not', async (key) => {
  const { book, simulator, waits } = await open(key)
  await book.person('LiLei')
  simulator.trouble = { book: 'busy', member: 'busy' }
  expect((await faultOf(book.departments(1))).reason).toBe('unavailable')
  expect(waits).toHaveLength(2)
  expect((await faultOf(book.createDepartment({ name: 'X', parentId: 1 }))).reason).toBe('unavailable')
  expect(waits).toHaveLength(2)
})

test('a department whose people take more than a mebibyte is read', async () => {
  const { book, simulator } = await open('qywx')
  for (let at = 0; at < 5000; at++) {
    const id = `pupil-${at}`
    const person = {
      id,
      name: `Pupil ${at}`,
      mobile: '',
      email: `${id}@a-long-domain-of-a-school.example`,
      title: '',
      number: '',
    }
    simulator.book.users.set(id, { ...person, departments: [2], status: 4 })
  }
  expect(await book.people(2)).toHaveLength(5004)
})

test('an assistant of WeCom that may not list people reads them by their ids', async () => {
  const { book, simulator } = await open('qywx')
  simulator.book.idsOnly = true
  const people = await book.people(2)
  expect(people.map(({ id }) => id)).toEqual(['LiLei', 'HanMeimei', 'sunli', 'ZhouMin'])
  expect(people[0]).toMatchObject({ mobile: null })
  expect(await book.people(4)).toMatchObject([{ id: 'HanMeimei' }])
})
