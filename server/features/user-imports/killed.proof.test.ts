import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { accept, importFile, reportOf, settled, step, upload } from '../../testing/imports.ts'
import { hold } from '../../testing/lock-waits.ts'
import { openPortal } from '../../testing/portal.ts'
import { startNode, until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { importTasks } from './index.ts'

const ROWS = 6000
const SECRET_KEY = 'a test key of more than thirty-two characters'

test('nodes killed in the middle of an import leave only whole steps; another continues, and nobody is created twice', {
  timeout: 120_000,
}, async () => {
  const server = await testServer()
  const { sql } = server.platform
  const page = await openPortal(server, { isSuperUser: true })
  const lines = Array.from({ length: ROWS }, (_, at) => `k${at},Name ${at},k${at}@demo.edu`)
  const file = `account,name,mailbox\n${lines.join('\n')}\nk1,Repeated,\n`
  const env = { DATABASE_URL: server.platform.config.databaseUrl ?? '', SECRET_KEY }
  const people = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from users where account ~ '^k[0-9]'`)[0]?.count ?? 0
  const written = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from user_import_rows where written`)[0]?.count ?? 0
  /** As if the dead node had been silent long enough. */
  const takeOver = () =>
    sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
  const nodes = [await startNode(env), await startNode(env), await startNode(env)]
  onTestFinished(() => {
    for (const { process } of nodes) process.kill('SIGKILL')
  })
  // Only now: nodes create the partitions of the records first.
  const { id } = (await upload(page, file)).data
  await step(page, id, 'check')
  await pause(150)
  nodes[0]?.process.kill('SIGKILL')
  await nodes[0]?.ended
  await takeOver()
  expect((await settled(page, id, 30_000)).counts).toMatchObject({ new: ROWS, bad: 1, written: 0 })
  expect(await people()).toBe(0)
  await step(page, id, 'start')
  while ((await people()) === 0) await pause(10)
  nodes[1]?.process.kill('SIGKILL')
  nodes[2]?.process.kill('SIGKILL')
  await Promise.all([nodes[1]?.ended, nodes[2]?.ended])
  // Every step is complete with its marks, or absent.
  expect(await people()).toBe(await written())
  await takeOver()
  await runTasks(server, importTasks)
  const run = await settled(page, id, 30_000)
  expect(run).toMatchObject({
    state: 'finished',
    counts: { new: ROWS, changed: 0, unchanged: 0, bad: 1, written: ROWS },
  })
  expect(await people()).toBe(ROWS)
  const [twice] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from audit_records where action = 'account.create' group by user_id having count(*) > 1) a`
  expect(twice?.count).toBe(0)
  expect(await reportOf(page, id, '?outcome=bad')).toMatchObject([{ row: ROWS + 2, account: 'k1' }])
  const again = await importFile(page, file)
  expect(again.counts).toEqual({ new: 0, changed: 0, doubtful: 0, unchanged: ROWS, bad: 1, written: 0, accepted: 0 })
})

test('a stopped import has only whole steps written, and continues on request', async () => {
  const server = await testServer()
  await runTasks(server, importTasks)
  const page = await openPortal(server, { isSuperUser: true })
  const lines = Array.from({ length: 6000 }, (_, at) => `c${at},Name ${at}`)
  const { id } = (await upload(page, `account,name\n${lines.join('\n')}\n`)).data
  await step(page, id, 'check')
  await settled(page, id)
  const { task } = (await step(page, id, 'start')).data
  await page.call(`/background_task/${task?.id}/cancel/`, { body: {} })
  const stopped = await settled(page, id)
  expect(stopped.state).toBe('cancelled')
  expect(stopped.counts.written).toBeLessThan(6000)
  expect((await step(page, id, 'start')).status).toBe(200)
  expect(await settled(page, id)).toMatchObject({ state: 'finished', counts: { written: 6000 } })
})

test('while one step waits for a person the others continue, and progress counts only what is written', async () => {
  const server = await testServer()
  const { sql } = server.platform
  await runTasks(server, importTasks)
  const page = await openPortal(server, { isSuperUser: true })
  await sql`
    insert into users (id, account, name, created_at, updated_at)
    select gen_random_uuid(), 'w' || n, 'Former name', now(), now() from generate_series(1, ${ROWS}) n`
  const lines = Array.from({ length: ROWS }, (_, at) => `w${at + 1},Name ${at}`)
  const { id } = (await upload(page, `account,name\n${lines.join('\n')}\n`)).data
  await step(page, id, 'check')
  await settled(page, id)
  await accept(page, id)
  const { reached, release } = await hold(
    sql,
    (held) => held`select from users where account = 'w7' for update`,
    '%for no key update%',
  )
  const written = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from user_import_rows where written`)[0]?.count ?? 0
  const { task } = (await step(page, id, 'start')).data
  await reached()
  await until(async () => (await written()) >= 1000, 10_000)
  await page.call(`/background_task/${task?.id}/cancel/`, { body: {} })
  await release()
  const end = await taskEnd(server, task?.id ?? '')
  expect(end).toMatchObject({ state: 'cancelled', done: await written() })
  expect(end?.done).toBeLessThan(ROWS)
  const [waited] = await sql`select name from users where account = 'w7'`
  expect(waited?.['name']).toBe('Name 6')
})
