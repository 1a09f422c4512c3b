import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { BackgroundTask } from '#shared/contract/background-tasks.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, systemContext, transaction } from '../../platform/platform.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { defineTask, startScheduledTask, startTask } from './index.ts'

function contextOf(server: TestServer, page: Portal): Context {
  const caller = {
    userId: page.user.userId,
    sessionId: '',
    ssoSessionId: '',
    isSuperUser: page.user.isSuperUser === '1',
  }
  return {
    ...systemContext(server.platform),
    caller: { ...caller, permissions: null, limited: false, lacksFactor: false, lacksFields: false },
    client: { requestId: 'r', ip: '192.0.2.7', userAgent: 'test', language: 'zh_CN' },
  }
}

const start = (server: TestServer, page: Portal, kind: string, input: unknown = {}) =>
  transaction(contextOf(server, page), (inner) => startTask(inner, { kind, input, total: 10 }))

const details = async (page: Portal, id: string) =>
  (await page.call<BackgroundTask>(`/background_task/${id}/details/`)).data

test('a task starts at its commit, on one of the nodes, as the person who requested it', async () => {
  const server = await testServer()
  const node = await server.secondNode()
  const page = await openPortal(server, { isSuperUser: true })
  const runs: unknown[] = []
  const kind = defineTask({
    kind: 'test.count',
    async run(ctx, task) {
      runs.push({ by: ctx.caller?.userId, language: ctx.client.language, input: task.input })
      await task.progress(7)
      return { counted: 7 }
    },
  })
  await runTasks(server, [kind])
  await runTasks(node, [kind])
  await expect(
    transaction(contextOf(server, page), async (inner) => {
      await startTask(inner, { kind: 'test.count', input: {}, total: 1 })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  const id = await start(server, page, 'test.count', { a: 1 })
  await until(() => runs.length > 0, 5000)
  await taskEnd(server, id)
  await pause(100)
  expect(runs).toEqual([{ by: page.user.userId, language: 'zh_CN', input: { a: 1 } }])
  expect(await details(page, id)).toMatchObject({
    state: 'done',
    done: 10,
    total: 10,
    result: { counted: 7 },
    error: null,
  })
})

test('a declared error ends a task with its code, any other error without details', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const refusing = defineTask({
    kind: 'test.refuse',
    run: () => Promise.reject(new Refusal('version.conflict', 409)),
  })
  const breaking = defineTask({ kind: 'test.break', run: () => Promise.reject(new Error('secret of the inside')) })
  await runTasks(server, [refusing, breaking])
  const refused = await start(server, page, 'test.refuse')
  const broken = await start(server, page, 'test.break')
  await taskEnd(server, refused)
  await taskEnd(server, broken)
  expect(await details(page, refused)).toMatchObject({ state: 'failed', error: { code: 'version.conflict' } })
  const answer = await details(page, broken)
  expect(answer).toMatchObject({ state: 'failed', error: { code: 'server.error' } })
  expect(JSON.stringify(answer)).not.toContain('secret')
})

test('a task stops after its step on request, and a queued one at once; one that has ended can not', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const endless = defineTask({
    kind: 'test.endless',
    async run(_ctx, task) {
      let done = 0
      for (; done < 1000 && !task.cancelled(); done++) {
        await task.progress(done)
        await pause(10)
      }
      return { done }
    },
  })
  const waiting = await start(server, page, 'test.endless')
  expect((await page.call(`/background_task/${waiting}/cancel/`, { body: {} })).status).toBe(200)
  expect(await details(page, waiting)).toMatchObject({ state: 'cancelled', done: 0 })
  await runTasks(server, [endless])
  const id = await start(server, page, 'test.endless')
  await until(async () => (await details(page, id)).done > 3, 5000)
  expect((await page.call(`/background_task/${id}/cancel/`, { body: {} })).status).toBe(200)
  expect(await taskEnd(server, id)).toMatchObject({ state: 'cancelled', result: { done: expect.any(Number) } })
  const late = await page.call(`/background_task/${id}/cancel/`, { body: {} })
  expect(late).toMatchObject({ status: 409, envelope: { code: 'task.has-ended' } })
})

test('the task of a node that fell silent continues on another, and the first can no longer write', async () => {
  const server = await testServer()
  const node = await server.secondNode()
  const page = await openPortal(server, { isSuperUser: true })
  const runs: string[] = []
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const on = (name: string) =>
    defineTask({
      kind: 'test.resume',
      async run(_ctx, task) {
        runs.push(`${name} from ${task.done}`)
        if (name === 'first') {
          await task.progress(4)
          await held
          await task.progress(9)
        }
        return { by: name }
      },
    })
  await runTasks(server, [on('first')])
  const id = await start(server, page, 'test.resume')
  await until(async () => (await details(page, id)).done === 4, 5000)
  // As if the heartbeat had stopped: what another node sees of a killed one.
  await server.platform.sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where id = ${id}`
  await runTasks(node, [on('second')])
  expect(await taskEnd(server, id)).toMatchObject({ state: 'done', result: { by: 'second' } })
  release()
  await pause(100)
  expect(runs).toEqual(['first from 0', 'second from 4'])
  expect(await details(page, id)).toMatchObject({ state: 'done', result: { by: 'second' } })
})

test('a node that shuts down properly hands its task over', async () => {
  const server = await testServer()
  const node = await server.secondNode()
  const page = await openPortal(server, { isSuperUser: true })
  let isLast = false
  const kind = defineTask({
    kind: 'test.hand-over',
    async run(_ctx, task) {
      for (let done = task.done; done < 1000 && !isLast; done++) {
        await task.progress(done)
        await pause(10)
      }
      return { from: task.done }
    },
  })
  const first = await runTasks(server, [kind])
  const id = await start(server, page, 'test.hand-over')
  await until(async () => (await details(page, id)).done > 2, 5000)
  await first.stop()
  isLast = true
  await runTasks(node, [kind])
  const end = await taskEnd(server, id)
  expect(end).toMatchObject({ state: 'done' })
  expect((end?.result as { from: number } | undefined)?.from ?? 0).toBeGreaterThan(2)
})

test.each([
  ['is no super user any more', 'is_super_user = false'],
  ['is locked', "locked_at = now() - interval '1 day'"],
])('a task does not continue if its requester %s', async (_, change) => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  let steps = 0
  const kind = defineTask({
    kind: 'test.long',
    async run(_ctx, task) {
      for (; steps < 5; ) {
        await task.progress(++steps)
        await server.platform.sql`update users set ${server.platform.sql.unsafe(change)} where id = ${page.user.userId}`
      }
      return null
    },
  })
  await runTasks(server, [kind])
  const id = await start(server, page, 'test.long')
  expect(await taskEnd(server, id)).toMatchObject({ state: 'failed', error: 'permission.denied' })
  expect(steps).toBe(2)
})

test('people see and stop their own tasks, super users everybody’s', async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true })
  const admin = await openPortal(server, { permissions: ['import'] })
  const other = await openPortal(server, { permissions: ['import'] })
  const id = await start(server, admin, 'test.nothing')
  const list = async (page: Portal) =>
    (await page.call<{ records: BackgroundTask[] }>('/background_task/query/')).data.records.map((one) => one.id)
  expect([await list(root), await list(admin), await list(other)]).toEqual([[id], [id], []])
  expect(await other.call(`/background_task/${id}/details/`)).toMatchObject({ status: 404 })
  expect(await other.call(`/background_task/${id}/cancel/`, { body: {} })).toMatchObject({
    status: 404,
    envelope: { code: 'task.not-found' },
  })
  expect((await root.call(`/background_task/${id}/cancel/`, { body: {} })).status).toBe(200)
})

test('a task of a job has no owner: it runs as the system, one of a kind at a time, and only super users see it', async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true })
  const admin = await openPortal(server, { permissions: ['import'] })
  const runs: unknown[] = []
  let running = 0
  let most = 0
  const kind = defineTask({
    kind: 'test.nightly',
    async run(ctx, task) {
      most = Math.max(most, ++running)
      runs.push([ctx.caller, task.input])
      await task.progress(5)
      await pause(50)
      running -= 1
      return null
    },
  })
  const schedule = (input: number) =>
    transaction(systemContext(server.platform), (inner) =>
      startScheduledTask(inner, { kind: 'test.nightly', input, total: 10 }),
    )
  const ids = [await schedule(1), await schedule(2)]
  await runTasks(server, [kind])
  for (const id of ids) expect(await taskEnd(server, id)).toMatchObject({ state: 'done' })
  expect({ runs, most }).toEqual({
    runs: [
      [null, 1],
      [null, 2],
    ],
    most: 1,
  })
  const list = async (page: Portal) =>
    (await page.call<{ records: BackgroundTask[] }>('/background_task/query/?sort=createdAt')).data.records
  expect((await list(root)).map(({ id, ownerName }) => [id, ownerName])).toEqual(ids.map((id) => [id, null]))
  expect(await list(admin)).toEqual([])
  expect(await admin.call(`/background_task/${ids[0]}/details/`)).toMatchObject({ status: 404 })
})
