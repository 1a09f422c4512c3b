import { v7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import type { SyncRow, SyncRunBase } from '#shared/contract/sync-runs.ts'
import { type Simulator, startSimulator, VENDORS } from '../../tools/simulators/index.ts'
import { bookSyncTask } from '../features/address-books/index.ts'
import { startTasks } from '../features/background-tasks/index.ts'
import { openPortal, type Portal } from './portal.ts'
import { until } from './process.ts'
import { startTestServer, type TestServer } from './server.ts'

export type BookVendorKey = 'qywx' | 'dingding'

/** Thresholds that only hold the first run. */
export const OPEN = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }

/** A server and vendors, for the tests of one file. Each test has its own part of the institution: Physics with Optics below it. */
export class BookWorld {
  server!: TestServer
  root!: Portal
  /** The vendor of the last sync. */
  vendor!: Simulator
  word = 0
  top = ''
  physics = ''
  optics = ''
  private stopTasks!: () => Promise<void>
  private readonly simulators: Simulator[] = []

  constructor(options: Parameters<typeof startTestServer>[0] = {}) {
    beforeAll(async () => {
      this.server = await startTestServer(options)
      this.root = await openPortal(this.server, { isSuperUser: true, account: 'root' })
      ;({ stop: this.stopTasks } = await startTasks(this.server.platform, [bookSyncTask]))
    })
    afterAll(async () => {
      await this.stopTasks()
      await this.server.close()
      for (const one of this.simulators) await one.close()
    })
    beforeEach(async () => {
      this.word += 1
      this.top = await this.addOrganization(`Top ${this.word}`, null)
      this.physics = await this.addOrganization(`Physics ${this.word}`, this.top)
      this.optics = await this.addOrganization(`Optics ${this.word}`, this.physics)
      await this.addSomebody(1, this.physics)
      await this.addSomebody(2, this.optics)
    })
  }

  get sql() {
    return this.server.platform.sql
  }

  async addOrganization(name: string, parentId: string | null): Promise<string> {
    const body = { name, code: name.replace(/\W/g, '').toLowerCase(), parentId, names: {} }
    const { data, envelope } = await this.root.call<{ id: string }>('/organization/create/', { body })
    expect(envelope.state).toBe(200)
    return data.id
  }

  account = (at: number) => `p${this.word}-${at}`
  async addSomebody(at: number, organizationId: string): Promise<void> {
    const { now } = this.server.platform
    const phone = `+8613${String(this.word * 1000 + at).padStart(9, '0')}`
    await this.sql`
      insert into users (id, account, name, organization_id, phone, created_at, updated_at)
      values (${v7()}, ${this.account(at)}, ${`Person ${at}`}, ${organizationId}, ${phone}, ${now()}, ${now()})`
  }

  /** The fields of a sync into a vendor of its own. */
  async fieldsOf(key: BookVendorKey, more: object = {}): Promise<object> {
    this.vendor = await startSimulator(VENDORS[key], { trustedOrigin: this.server.url, now: this.server.platform.now })
    this.simulators.push(this.vendor)
    return {
      ...{ name: `Book ${this.word}`, vendor: key, roots: [{ organizationId: this.top, departmentId: 1 }] },
      ...VENDORS[key].contacts?.(this.vendor.url),
      ...more,
    }
  }

  async newSync(key: BookVendorKey, more: object = {}): Promise<BookSync> {
    const body = await this.fieldsOf(key, more)
    const { data, envelope } = await this.root.call<BookSync>('/book_sync/create/', { body })
    expect(envelope.state).toBe(200)
    return data
  }

  /** With its departments and people there: the first run is confirmed. */
  async filledSync(key: BookVendorKey, more: object = {}): Promise<BookSync> {
    const sync = await this.newSync(key, { ...OPEN, ...more })
    expect((await this.decide('approve', await this.run(sync))).state).toBe('done')
    return sync
  }

  details = async (id: string, query = '') =>
    (await this.root.call<{ run: SyncRunBase; rows: SyncRow[] }>(`/book_sync_run/${id}/details/?${query}`)).data
  runs = async ({ id }: BookSync) =>
    (await this.root.call<{ records: SyncRunBase[] }>(`/book_sync_run/query/?syncId=${id}`)).data.records
  async settled(id: string): Promise<SyncRunBase> {
    await until(async () => !['reading', 'applying', 'undoing'].includes((await this.details(id)).run.state), 30_000)
    return (await this.details(id)).run
  }
  start = (sync: BookSync, dryRun = false) =>
    this.root.call<SyncRunBase>(`/book_sync/${sync.id}/start/`, { body: { dryRun } })
  run = async (sync: BookSync, dryRun = false) => await this.settled((await this.start(sync, dryRun)).data.id)
  async decide(verb: 'approve' | 'undo', { id }: SyncRunBase): Promise<SyncRunBase> {
    const { envelope } = await this.root.call(`/book_sync_run/${id}/${verb}/`, { body: { reason: 'Looked at' } })
    expect(envelope.state).toBe(200)
    return await this.settled(id)
  }

  there = (at: number) => this.vendor.book.users.get(this.account(at))
  department = (name: string) =>
    [...this.vendor.book.departments.values()].find((one) => one.name === `${name} ${this.word}`)
  changeHere = (at: number, change: Record<string, unknown>) =>
    this.sql`update users set ${this.sql(change)}, version = version + 1 where account = ${this.account(at)}`

  /** Time passes; sessions end meanwhile. */
  async advance(seconds: number): Promise<void> {
    this.server.advance(seconds)
    this.root = await openPortal(this.server, { userId: this.root.user.userId })
  }
}
