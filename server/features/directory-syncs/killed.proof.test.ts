import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { SyncRun } from '#shared/contract/directory-syncs.ts'
import { uploadFile } from '../../testing/data-sources.ts'
import { hold } from '../../testing/lock-waits.ts'
import { openPortal } from '../../testing/portal.ts'
import { type NodeProcess, startNode, until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'

const ROWS = 6000
const SECRET_KEY = 'a test key of more than thirty-two characters'

test('nodes killed in every step of a run leave complete batches; another node resumes within thirty seconds, and nobody is created twice', {
  timeout: 240_000,
}, async () => {
  const server = await testServer()
  const { sql, config } = server.platform
  const page = await openPortal(server, { isSuperUser: true })
  const env = { DATABASE_URL: config.databaseUrl ?? '', SECRET_KEY }
  let node = await startNode(env)
  const source = await page.call<{ id: string }>('/data_source/create/', { body: { name: 'S', kind: 'csv-upload' } })
  const mapping = ['account', 'name'].map((field) => ({ column: field, field }))
  const sync = await page.call<{ id: string }>('/directory_sync/create/', {
    body: { name: 'S', sourceId: source.data.id, keyColumn: 'no', mapping, thresholds: { changed: 100, field: 100 } },
  })
  const give = (name: string) => {
    const lines = Array.from({ length: ROWS }, (_, at) => `K${at},k${at},${name} ${at}`)
    return uploadFile(page, source.data.id, `no,account,name\n${lines.join('\n')}\n`)
  }
  const one = async <T>(query: Promise<readonly unknown[]>) => (await query)[0] as T
  const count = async (where: string) =>
    (await one<{ n: number }>(sql.unsafe(`select count(*)::int as n from directory_sync_rows where ${where}`))).n
  const state = async (id: string) =>
    (await one<{ state: string }>(sql`select state from directory_sync_runs where id = ${id}`)).state
  /** Kills the working node once the condition holds, then lets another one take over as if the heartbeat had timed out. */
  const killWhen = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await pause(2)
    node.process.kill('SIGKILL')
    await node.ended
  }
  const takeOver = async (): Promise<NodeProcess> => {
    await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
    return await startNode(env)
  }
  const run = async () => {
    const { data } = await page.call<SyncRun>(`/directory_sync/${sync.data.id}/start/`, { body: { dryRun: false } })
    return data.id
  }
  const approve = (id: string) => page.call(`/directory_sync_run/${id}/approve/`, { body: { reason: 'Looked at' } })

  await give('Person')
  const first = await run()
  await killWhen(async () => (await count('cells is not null')) > 0)
  expect(await state(first)).toBe('reading')
  node = await takeOver()
  await killWhen(async () => (await count('outcome is not null')) > 0)
  expect(await state(first)).toBe('planning')
  // Everything was read again, and nothing twice.
  expect(
    await one(sql`select count(*)::int as n, count(distinct external_id)::int as keys from directory_sync_rows`),
  ).toEqual({ n: ROWS, keys: ROWS })
  expect(await one(sql`select count(*)::int as n from users where account ~ '^k[0-9]'`)).toEqual({ n: 0 })
  node = await takeOver()
  await until(async () => (await state(first)) === 'held', 60_000)
  expect((await approve(first)).envelope.state).toBe(200)
  await killWhen(async () => (await count('is_applied')) > 0)
  expect(await state(first)).toBe('applying')
  // Each batch is there with its marks and links, or not at all.
  const applied = await count('is_applied')
  expect(applied).toBeLessThan(ROWS)
  expect(await one(sql`select count(*)::int as n from users where account ~ '^k[0-9]'`)).toEqual({ n: applied })
  expect(await one(sql`select count(*)::int as n from directory_links`)).toEqual({ n: applied })
  node = await takeOver()
  await until(async () => (await state(first)) === 'done', 60_000)

  const everybody = async () => {
    const people = await one(sql`
      select count(*)::int as n, count(distinct account)::int as accounts from users where account ~ '^k[0-9]'`)
    const links = await one(sql`select count(*)::int as n, count(distinct user_id)::int as people from directory_links`)
    return { people, links }
  }
  const all = { people: { n: ROWS, accounts: ROWS }, links: { n: ROWS, people: ROWS } }
  expect(await everybody()).toEqual(all)

  // Now in real time: a second node stands by, and the clock isn't moved.
  await give('Renamed')
  const { reached, release } = await hold(
    sql,
    (held) => held`select from users where account = 'k3000' for update`,
    '%for no key update%',
  )
  const second = await run()
  await reached()
  await startNode(env)
  const before = await count(`run_id = '${second}' and is_applied`)
  expect(before).toBeLessThan(ROWS)
  node.process.kill('SIGKILL')
  await node.ended
  await release()
  expect(await until(async () => (await count(`run_id = '${second}' and is_applied`)) > before, 60_000)).toBeLessThan(
    30_000,
  )
  await until(async () => (await state(second)) === 'done', 60_000)
  expect(await everybody()).toEqual(all)
  const [lines] = await sql`
    select count(*)::int as n from (select from audit_records where action in ('account.create', 'account.update')
      group by user_id, action having count(*) > 1) a`
  expect(lines?.['n']).toBe(0)
  expect(
    await one(sql`select count(*)::int as n from users where account ~ '^k[0-9]' and name like 'Renamed %'`),
  ).toEqual({
    n: ROWS,
  })
})
