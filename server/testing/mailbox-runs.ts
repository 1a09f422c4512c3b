import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import type { SyncRow, SyncRunBase } from '#shared/contract/sync-runs.ts'
import { MAIL_PROVIDERS, type Simulator } from '../../tools/simulators/index.ts'
import { bookSyncTask } from '../features/address-books/index.ts'
import { startTasks } from '../features/background-tasks/index.ts'
import { OPEN } from './address-books.ts'
import { addMailboxes } from './mailboxes.ts'
import { addPerson } from './people.ts'
import { openPortal, type Portal } from './portal.ts'
import { until } from './process.ts'
import { startTestServer, type TestServer } from './server.ts'

type Provider = 'exmail' | 'coremail'
export const PROVIDERS = ['exmail', 'coremail'] as const
/** Where the simulated Coremail creates mailboxes. */
export const PLACE = { orgId: 'a', providerId: '1', cosId: '1' }
export const CREATE = { exmail: '/cgi-bin/user/create', coremail: '/apiws/v3/createUser' }

export let server: TestServer
export let root: Portal
/** Everything that was logged. */
export const lines: string[] = []
let stopTasks: () => Promise<void>
export let word = 0
export let physics = ''
export let provider: Simulator
/** Of those who are added before each test. */
export const ids = new Map<number, string>()

/** A server with a department of two people for each test, which runs the tasks of address books. */
export function prepareMailboxRuns(): void {
  beforeAll(async () => {
    server = await startTestServer({ onLog: (line) => lines.push(line) })
    root = await openPortal(server, { isSuperUser: true, account: 'root' })
    ;({ stop: stopTasks } = await startTasks(server.platform, [bookSyncTask]))
  })
  afterAll(async () => {
    await stopTasks()
    await server.close()
  })
  beforeEach(async () => {
    await server.platform.sql`delete from book_syncs`
    word += 1
    const body = { name: `Physics ${word}`, code: `physics${word}`, parentId: null, names: {} }
    ;({ id: physics } = (await root.call<{ id: string }>('/organization/create/', { body })).data)
    for (const at of [1, 2]) ids.set(at, await add(at))
  })
}

/** A new session, after the clock has moved. */
export async function renewRoot(): Promise<void> {
  root = await openPortal(server, { userId: root.user.userId })
}

/** What happens while no node takes tasks. */
export async function withoutTasks(work: () => Promise<void>): Promise<void> {
  await stopTasks()
  await work()
  ;({ stop: stopTasks } = await startTasks(server.platform, [bookSyncTask]))
}

export const account = (at: number) => `m${word}-${at}`
export const address = (at: number) => `${account(at)}@example.edu`
export const there = (at: number) => provider.mailboxes.get(address(at))
export async function add(at: number): Promise<string> {
  const phone = `+8613${String(word * 1000 + at).padStart(9, '0')}`
  const id = await addPerson(server, { account: account(at), name: `Person ${at}`, phone })
  await server.platform.sql`update users set organization_id = ${physics} where id = ${id}`
  return id
}
export const change = (at: number, values: Record<string, unknown>) =>
  server.platform.sql`update users set ${server.platform.sql(values)} where account = ${account(at)}`

export async function fieldsOf(driver: Provider, more: object = {}) {
  provider = await addMailboxes(server, root, driver)
  return {
    ...{ name: `Mailboxes ${word}`, vendor: driver, ...MAIL_PROVIDERS[driver].contacts?.(provider.url) },
    ...{ roots: [{ organizationId: physics }], coremail: driver === 'coremail' ? PLACE : null, ...OPEN, ...more },
  }
}
export const create = (body: object) => root.call<BookSync>('/book_sync/create/', { body })
export async function newSync(driver: Provider, more: object = {}): Promise<BookSync> {
  const { data, status } = await create(await fieldsOf(driver, more))
  expect(status).toBe(200)
  return data
}
export const rowsOf = async (id: string) =>
  (await root.call<{ run: SyncRunBase; rows: SyncRow[] }>(`/book_sync_run/${id}/details/`)).data
export async function settled(id: string): Promise<SyncRunBase> {
  await until(async () => !['reading', 'applying', 'undoing'].includes((await rowsOf(id)).run.state), 60_000)
  return (await rowsOf(id)).run
}
export const start = (sync: BookSync, dryRun = false) =>
  root.call<SyncRunBase>(`/book_sync/${sync.id}/start/`, { body: { dryRun } })
export const run = async (sync: BookSync, dryRun = false) => await settled((await start(sync, dryRun)).data.id)
export const ask = (verb: 'approve' | 'undo', { id }: SyncRunBase) =>
  root.call(`/book_sync_run/${id}/${verb}/`, { body: { reason: 'Looked at' } })
export async function decide(verb: 'approve' | 'undo', planned: SyncRunBase): Promise<SyncRunBase> {
  expect((await ask(verb, planned)).envelope.state).toBe(200)
  return await settled(planned.id)
}
export async function filled(driver: Provider, more: object = {}): Promise<BookSync> {
  const sync = await newSync(driver, more)
  expect(await decide('approve', await run(sync))).toMatchObject({ state: 'done', counts: { new: 2 } })
  return sync
}
