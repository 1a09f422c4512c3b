import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { type Context, systemContext, transaction } from '../../platform/platform.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { JsonServer } from '../../testing/json-server.ts'
import { until } from '../../testing/process.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { defineTask, startScheduledTask } from '../background-tasks/index.ts'
import { syncsStore } from './directory-syncs.store.ts'
import { startDueSyncs, syncTask } from './index.ts'
import { approveRun, discardRun, startRun } from './runs.service.ts'

/** Reads that take hours, and nodes whose clocks differ. */
const syncs = new SyncWorld()

const api = new JsonServer()
let base = ''
beforeAll(async () => {
  base = await api.open()
})
afterAll(() => api.close())

const ROOMY = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }
const EIGHT_HOURS = 8 * 3600

/** The clock of reads of an API goes on. Not that of the process: connections to the database would be taken for dead. */
function letReadsTake(seconds: number): void {
  const real = performance.now.bind(performance)
  const isRead = () => new Error('where').stack?.includes('rest-pages.service') ?? false
  vi.spyOn(performance, 'now').mockImplementation(() => real() + (isRead() ? seconds * 1000 : 0))
  onTestFinished(() => void vi.restoreAllMocks())
}

const NOOP = defineTask({ kind: 'test.noop', run: async () => null })

/** Another node, that many seconds ahead, has looked for tasks to take over. */
async function lookForTasks(aheadSeconds: number): Promise<void> {
  const node = await syncs.server.secondNode(aheadSeconds)
  await runTasks(node, [syncTask, NOOP])
  const id = await transaction(systemContext(node.platform), (inner) =>
    startScheduledTask(inner, { kind: NOOP.kind, input: {}, total: 1 }),
  )
  await taskEnd(node, id)
}

async function filledTable() {
  const table = syncs.table()
  const prefix = syncs.account(0).slice(0, -4)
  await syncs.sql.unsafe(`create table ${table} as select 'K' || n as no, '${prefix}' || lpad(n::text, 4, '0') as account,
    'Person ' || n as name from generate_series(1, 40) n`)
  const sync = await syncs.newSync({ ...ROOMY, leavers: { action: 'disable', runs: 1, days: 0 } }, table)
  await syncs.approve(await syncs.run(sync))
  return { sync, table }
}

/** Starts a run and does something while it reads, before its first row has come. */
async function whileReading(table: string, start: () => Promise<string>, work: () => Promise<void>): Promise<string> {
  const isWaiting = async () =>
    (
      await syncs.sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like ${`%from%${table}%`}
        and query not like '%pg_stat_activity%'`
    ).length > 0
  return await syncs.sql.begin(async (other) => {
    await other.unsafe(`lock table ${table} in access exclusive mode`)
    const id = await start()
    await until(isWaiting, 10_000)
    await work()
    return id
  })
}

test('a read of a database that takes eight hours goes on to its end: no other node takes it over, and the plan is applied', async () => {
  const { sync, table } = await filledTable()
  await syncs.sql.unsafe(`update ${table} set name = 'Renamed' where no = 'K1'`)
  await syncs.sql.unsafe(`delete from ${table} where no = 'K2'`)
  const id = await whileReading(
    table,
    async () => (await syncs.start(sync)).data.id,
    async () => {
      syncs.server.advance(EIGHT_HOURS)
      await lookForTasks(0)
    },
  )
  // The session of whoever started it is over by now.
  await syncs.advance(0)
  expect(await syncs.settled(id)).toMatchObject({ state: 'done', counts: { changed: 1, leaver: 1, unchanged: 38 } })
  const [task] = await syncs.sql`
    select t.attempts from background_tasks t join directory_sync_runs r on r.task_id = t.id where r.id = ${id}`
  expect(task).toEqual({ attempts: 1 })
})

const person = (at: number) => ({ no: `K${at}`, account: syncs.account(at), name: `Person ${at}` })

/** A sync of an API that answers three pages of two people. */
async function apiSync(options: object, more: object = {}) {
  const { data } = await syncs.root.call<{ id: string }>('/data_source/create/', {
    body: {
      ...{ name: syncs.named('API'), kind: 'rest' },
      options: { url: `${base}/people`, paging: 'page', pageParameter: 'page', ...options },
      ...more,
    },
  })
  const leavers = { action: 'disable', runs: 1, days: 0 }
  return await syncs.newSync({ ...ROOMY, sourceId: data.id, table: 'people', leavers })
}

const pageOf = (url: URL) => Number(url.searchParams.get('page'))
const peopleOf = (page: number) => (page > 3 ? [] : [person(page * 2), person(page * 2 + 1)])

test('a read of an API ends after two hours: such a run is not complete, and nobody leaves', async () => {
  api.answer = (_, __, url) => peopleOf(pageOf(url))
  const sync = await apiSync({})
  await syncs.approve(await syncs.run(sync))
  const before = await syncs.people()
  expect(before).toHaveLength(6)
  api.answer = (_, __, url) => {
    if (pageOf(url) === 2) letReadsTake(2 * 3600 + 1)
    return peopleOf(pageOf(url))
  }
  const { data } = await syncs.start(sync)
  expect(await syncs.settled(data.id)).toMatchObject({
    ...{ state: 'failed', isComplete: false, counts: {} },
    problem: expect.stringContaining('2 / '),
  })
  expect(await syncs.people()).toEqual(before)
  vi.restoreAllMocks()
  api.answer = (_, __, url) => peopleOf(pageOf(url))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 6 } })
})

test('a token that expires during a read is requested anew once; a revoked one ends the run', async () => {
  let valid = 'token-0'
  let issued = 0
  let isRevoked = false
  api.answer = (request, response, url) => {
    if (url.pathname === '/token') {
      issued += 1
      valid = `token-${issued}`
      return { access_token: valid }
    }
    if (isRevoked || request.headers.authorization !== `Bearer ${valid}`) {
      response.statusCode = 401
      return {}
    }
    // The token is good for one page.
    valid = ''
    return peopleOf(pageOf(url))
  }
  const sync = await apiSync({ auth: 'oauth2', tokenUrl: `${base}/token` }, { user: 'reader', password: 'secret' })
  issued = 0
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 6 } })
  expect(issued).toBeGreaterThanOrEqual(4)
  isRevoked = true
  issued = 0
  expect(await syncs.run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('401') })
  expect(issued).toBe(2)
})

test('a node whose clock is a minute ahead takes no run over from one that is at work', async () => {
  const { sync, table } = await filledTable()
  const id = await whileReading(
    table,
    async () => (await syncs.start(sync)).data.id,
    () => lookForTasks(60),
  )
  expect(await syncs.settled(id)).toMatchObject({ state: 'done', counts: { unchanged: 40 } })
  const [task] = await syncs.sql`
    select t.attempts from background_tasks t join directory_sync_runs r on r.task_id = t.id where r.id = ${id}`
  expect(task).toEqual({ attempts: 1 })
})

/** A sync with a schedule and a cursor that has run once, and when it is due. */
async function scheduledSync(cron: string) {
  const { table } = await filledTable()
  await syncs.sql.unsafe(`alter table ${table} add written timestamp not null default '2026-01-02 03:04:05'`)
  const schedule = { cron, zone: 'Asia/Shanghai' }
  const more = { ...ROOMY, schedule, cursorColumn: 'written', name: syncs.named('Scheduled') }
  const sync = await syncs.newSync(more, table)
  await syncs.approve(await syncs.run(sync))
  const detailsOf = async () => (await syncs.root.call<typeof sync>(`/directory_sync/${sync.id}/details/`)).data
  const dueAt = async () => Date.parse((await detailsOf()).nextRunAt ?? '')
  const until = async (at: number) => syncs.advance((at - syncs.server.platform.now().getTime()) / 1000)
  return { sync, table, more, detailsOf, dueAt, until }
}

test('two nodes whose clocks differ by a minute start a scheduled sync once, and the cursor is that of the source', async () => {
  const { sync, detailsOf, dueAt, until: wait } = await scheduledSync('30 2 * * *')
  const node = await syncs.server.secondNode(60)
  const due = await dueAt()
  // Half a minute before by one clock and after by the other.
  await wait(due - 30_000)
  await startDueSyncs(syncs.server.platform)
  await startDueSyncs(node.platform)
  expect(await syncs.runs(sync)).toHaveLength(1)
  await syncs.advance(60)
  await startDueSyncs(node.platform)
  const [run] = await syncs.runs(sync)
  expect(await syncs.settled(run?.id ?? '')).toMatchObject({ state: 'done', startedBy: null })
  await startDueSyncs(syncs.server.platform)
  await startDueSyncs(node.platform)
  expect(await syncs.runs(sync)).toHaveLength(2)
  const { nextRunAt, cursor } = await detailsOf()
  expect(Date.parse(nextRunAt ?? '')).toBe(due + DAY_MS)
  expect(cursor).toBe('2026-01-02 03:04:05')
})

test.each([
  ['ahead', 3600],
  ['behind', -3600],
])('a node whose clock is an hour %s starts each scheduled run when it is due, once', async (_, seconds) => {
  const { sync, dueAt, until: wait } = await scheduledSync('0 * * * *')
  const node = await syncs.server.secondNode(seconds)
  for (let hour = 1; hour <= 3; hour += 1) {
    const due = await dueAt()
    await wait(due - 30_000)
    await startDueSyncs(node.platform)
    expect(await syncs.runs(sync)).toHaveLength(hour)
    await wait(due + 30_000)
    await startDueSyncs(node.platform)
    const [run] = await syncs.runs(sync)
    expect(await syncs.settled(run?.id ?? '')).toMatchObject({ state: 'done' })
    expect(Math.abs(Date.parse(run?.startedAt ?? '') - due)).toBeLessThan(60_000)
    await startDueSyncs(syncs.server.platform)
    await startDueSyncs(node.platform)
    expect(await syncs.runs(sync)).toHaveLength(hour + 1)
    expect(await dueAt()).toBe(due + 3_600_000)
  }
})

test('a sync that is saved on a node whose clock is an hour behind is not due again for the hour that has passed', async () => {
  const { sync, table, more, dueAt, until: wait } = await scheduledSync('0 * * * *')
  const node = await syncs.server.secondNode(-3600)
  await wait((await dueAt()) + 30_000)
  await startDueSyncs(syncs.server.platform)
  const [run] = await syncs.runs(sync)
  await syncs.settled(run?.id ?? '')
  const due = await dueAt()
  await transaction(systemContext(node.platform), (inner) =>
    syncsStore.update(
      inner,
      sync.id,
      DirectorySyncFields.parse({
        ...more,
        sourceId: sync.sourceId,
        table,
        keyColumn: sync.keyColumn,
        mapping: sync.mapping,
      }),
    ),
  )
  expect(await dueAt()).toBe(due)
  await startDueSyncs(node.platform)
  await startDueSyncs(syncs.server.platform)
  expect(await syncs.runs(sync)).toHaveLength(2)
})

test('a node whose clock is days ahead takes no cursor into the future', async () => {
  const { sync, table, detailsOf } = await scheduledSync('30 2 * * *')
  const now = syncs.server.platform.now()
  const node = await syncs.server.secondNode((5 * DAY_MS) / 1000)
  const future = new Date(now.getTime() + 3 * DAY_MS).toISOString().slice(0, 19).replace('T', ' ')
  await syncs.sql.unsafe(`update ${table} set name = 'Future', written = '${future}' where no = 'K3'`)
  await runTasks(node, [syncTask])
  const started = await startRun(systemContext(node.platform), sync.id, { dryRun: false, incremental: true })
  await syncs.settled(started.id)
  const { cursor } = await detailsOf()
  expect(Date.parse(`${cursor?.replace(' ', 'T')}Z`)).toBeLessThanOrEqual(now.getTime())
})

test('a plan may be approved for two days, and ends when it is discarded, whatever the clock of the node says', async () => {
  const sync = await syncs.newSync({ thresholds: { ...ROOMY.thresholds, created: 1 } })
  await syncs.give(sync, syncs.numbered(2))
  const [user] = await syncs.sql<{ id: string }[]>`select id from users where is_super_user limit 1`
  const by = async (seconds: number) => {
    const { platform } = await syncs.server.secondNode(seconds)
    return { ...systemContext(platform), caller: { userId: user?.id } } as Context
  }
  const [ahead, behind] = [await by((5 * DAY_MS) / 1000), await by((-5 * DAY_MS) / 1000)]
  const { id } = await syncs.run(sync)
  await discardRun(ahead, id)
  const { finishedAt } = (await syncs.details(id)).run
  expect(Math.abs(Date.parse(finishedAt ?? '') - syncs.server.platform.now().getTime())).toBeLessThan(60_000)
  const held = await syncs.run(sync)
  await syncs.advance(2 * 86_400 + 60)
  await expect(approveRun(behind, held.id, 'Late')).rejects.toMatchObject({ code: 'directory-sync.too-old' })
  const fresh = await syncs.run(sync)
  await approveRun(ahead, fresh.id, 'In time')
  expect(await syncs.settled(fresh.id)).toMatchObject({ state: 'done', counts: { new: 2 } })
})
