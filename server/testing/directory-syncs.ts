import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type DirectorySync, DirectorySyncFields, type SyncRun } from '#shared/contract/directory-syncs.ts'
import type { SyncRow } from '#shared/contract/sync-runs.ts'
import { startTasks } from '../features/background-tasks/index.ts'
import { tasks } from '../tasks.ts'
import { type OwnSource, openOwnSource, uploadFile } from './data-sources.ts'
import { openPortal, type Portal } from './portal.ts'
import { until } from './process.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Names by account. */
export type People = Record<string, string>

export const SYNC_MAPPING = [
  { column: 'account', field: 'account' },
  { column: 'name', field: 'name' },
]

const UNDER_WAY = ['reading', 'planning', 'applying', 'undoing']

/** A server with a source, for the tests of one file; each test has accounts of its own. */
export class SyncWorld {
  server!: TestServer
  root!: Portal
  own!: OwnSource
  private stopTasks!: () => Promise<void>
  private word = 0
  private sources = 0

  constructor(options: Parameters<typeof startTestServer>[0] = {}) {
    beforeAll(async () => {
      this.server = await startTestServer(options)
      this.root = await openPortal(this.server, { isSuperUser: true, account: 'root' })
      this.own = await openOwnSource(this.server)
      ;({ stop: this.stopTasks } = await startTasks(this.server.platform, tasks))
    })
    afterAll(async () => {
      await this.stopTasks()
      await this.own.close()
      await this.server.close()
    })
    beforeEach(() => {
      this.word += 1
    })
  }

  get sql() {
    return this.server.platform.sql
  }

  /** A name unique to this test. */
  named = (name: string) => `${name} ${this.word}`
  table = () => `hr_${this.word}`
  account = (at: number) => `${this.word}${String(at).padStart(4, '0')}`

  csv = (people: People) =>
    `no,account,name\n${Object.entries(people)
      .map(([account, name]) => `K${account},${account},${name}`)
      .join('\n')}\n`
  numbered = (count: number, name = 'Person', from = 0): People =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [this.account(from + at), `${name} ${from + at}`]))

  /** A file, or the test's own database. */
  async newSource(table?: string): Promise<string> {
    this.sources += 1
    const name = `Source ${this.sources}`
    const given = table ? { ...this.own.given, name } : { name, kind: 'csv-upload' }
    return (await this.root.call<{ id: string }>('/data_source/create/', { body: given })).data.id
  }

  /** A sync of a file, or of a table of the test's own database. */
  async newSync(more: object = {}, table?: string): Promise<DirectorySync> {
    const { root } = this
    const body = {
      ...{ name: this.named('Sync'), sourceId: await this.newSource(table), table: table ?? '', keyColumn: 'no' },
      mapping: SYNC_MAPPING,
      ...more,
    }
    const { data, envelope } = await root.call<DirectorySync>('/directory_sync/create/', { body })
    expect(envelope.state).toBe(200)
    return data
  }

  /** Saves a sync with these changes. */
  async save(sync: DirectorySync, changes: object): Promise<void> {
    const fields = Object.fromEntries(Object.keys(DirectorySyncFields.shape).map((key) => [key, sync[key as never]]))
    const body = { ...fields, version: sync.version, ...changes }
    const { envelope } = await this.root.call(`/directory_sync/${sync.id}/update/`, { body })
    expect(envelope.state).toBe(200)
  }
  give = (sync: DirectorySync, people: People) => uploadFile(this.root, sync.sourceId, this.csv(people))
  giveText = (sync: DirectorySync, text: string) => uploadFile(this.root, sync.sourceId, text)
  details = async (id: string, query = '') =>
    (await this.root.call<{ run: SyncRun; rows: SyncRow[] }>(`/directory_sync_run/${id}/details/?${query}`)).data
  async settled(id: string): Promise<SyncRun> {
    await until(async () => !UNDER_WAY.includes((await this.details(id)).run.state), 30_000)
    return (await this.details(id)).run
  }
  start = (sync: DirectorySync, dryRun = false, incremental = false) =>
    this.root.call<SyncRun>(`/directory_sync/${sync.id}/start/`, { body: { dryRun, incremental } })
  runChanges = async (sync: DirectorySync) => await this.settled((await this.start(sync, false, true)).data.id)
  run = async (sync: DirectorySync, dryRun = false) => await this.settled((await this.start(sync, dryRun)).data.id)
  runs = async ({ id }: DirectorySync) =>
    (await this.root.call<{ records: SyncRun[] }>(`/directory_sync_run/query/?syncId=${id}`)).data.records
  private async decide(verb: 'approve' | 'undo', { id }: SyncRun): Promise<SyncRun> {
    const { envelope } = await this.root.call(`/directory_sync_run/${id}/${verb}/`, { body: { reason: 'Looked at' } })
    expect(envelope.state).toBe(200)
    return await this.settled(id)
  }
  approve = (run: SyncRun) => this.decide('approve', run)
  undo = (run: SyncRun) => this.decide('undo', run)
  /** With its people imported: the first run is confirmed. */
  async filledSync(people: People, more: object = {}): Promise<DirectorySync> {
    const sync = await this.newSync(more)
    await this.give(sync, people)
    expect((await this.approve(await this.run(sync))).state).toBe('done')
    return sync
  }
  /** Current state of everybody in this test. */
  people = () => this.sql<{ id: string; account: string; name: string; enabled: boolean; version: number }[]>`
    select id, account, name, enabled, version from users where account like ${`${this.word}____`} and deleted_at is null
    order by account`

  /** As if the working node had been stopped properly, and started again after `work`. */
  async whileTasksStop<T>(work: () => Promise<T>): Promise<T> {
    await this.stopTasks()
    const done = await work()
    ;({ stop: this.stopTasks } = await startTasks(this.server.platform, tasks))
    return done
  }
  restartTasks = () => this.whileTasksStop(async () => {})

  /** Time passes; sessions end meanwhile. */
  async advance(seconds: number): Promise<void> {
    this.server.advance(seconds)
    this.root = await openPortal(this.server, { userId: this.root.user.userId })
  }
}
