import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../testing/process.ts'
import { testServer } from '../testing/server.ts'
import { defineJob, startJobs } from './jobs.ts'

const never = '0 0 29 2 *'

test('of several nodes one runs a job, once for each time it is due', async () => {
  const server = await testServer()
  const second = await server.secondNode()
  const runs: string[] = []
  const job = (node: string) =>
    defineJob({
      name: 'nodes.count',
      cron: never,
      async run() {
        runs.push(node)
      },
    })
  const nodes = [startJobs(server.platform, [job('first')]), startJobs(second.platform, [job('second')])]
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))))
  await nodes[0]?.runSoon('nodes.count')
  await until(() => runs.length > 0, 15_000)
  await nodes[1]?.runSoon('nodes.count')
  await until(() => runs.length > 1, 15_000)
  expect(runs).toHaveLength(2)
}, 40_000)

test('a job that fails is logged and run again', async () => {
  const { platform } = await testServer()
  let runs = 0
  const failing = defineJob({
    name: 'failing.job',
    cron: never,
    async run() {
      runs++
      throw new Error('on purpose')
    },
  })
  const jobs = startJobs(platform, [failing])
  onTestFinished(() => jobs.stop())
  await jobs.runSoon('failing.job')
  await until(() => runs === 1, 15_000)
  await until(async () => {
    await jobs.runSoon('failing.job')
    return runs > 1
  }, 20_000)
}, 40_000)

test('a queue of a job that no longer exists is deleted with its schedule, and one of an earlier version notifies', async () => {
  const { platform } = await testServer()
  const job = (name: string) => defineJob({ name, cron: '* * * * *', run: async () => {} })
  const former = startJobs(platform, [job('former.job'), job('kept.job')])
  await former.runSoon('former.job')
  await former.stop()
  await platform.sql`update pgboss.queue set notify = false where name = 'kept.job'`
  const jobs = startJobs(platform, [job('kept.job')])
  onTestFinished(() => jobs.stop())
  await jobs.runSoon('kept.job')
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
  const queues = await platform.sql<{ name: string; notify: boolean }[]>`
    select name, notify from pgboss.queue where name not like '\\_\\_%'`
  expect([...queues]).toEqual([{ name: 'kept.job', notify: true }])
  expect(names(await platform.sql<{ name: string }[]>`select name from pgboss.schedule`)).toEqual(['kept.job'])
  expect(names(await platform.sql<{ name: string }[]>`select name from pgboss.job where name = 'former.job'`)).toEqual(
    [],
  )
}, 40_000)

test('jobs that are due at once run one after the other, and none waits for a long one', async () => {
  const { platform } = await testServer()
  const running = new Set<string>()
  const ended: string[] = []
  let mostShort = 0
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  const names = ['short.1', 'short.2', 'long.1', 'short.3', 'short.4']
  const runsOf = (name: string) => async () => {
    running.add(name)
    mostShort = Math.max(mostShort, [...running].filter((one) => one.startsWith('short')).length)
    await (name === 'long.1' ? released : pause(20))
    running.delete(name)
    ended.push(name)
  }
  const jobs = startJobs(
    platform,
    names.map((name) => defineJob({ name, cron: never, run: runsOf(name) })),
  )
  onTestFinished(() => jobs.stop())
  onTestFinished(release)
  await Promise.all(names.map((name) => jobs.runSoon(name)))
  await until(() => ended.length === 4, 15_000)
  expect([...running]).toEqual(['long.1'])
  expect(mostShort).toBe(1)
}, 40_000)
