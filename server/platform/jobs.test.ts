import { expect, test } from 'vitest'
import { testServer } from '../testing/server.ts'

test('expired state is deleted and the months ahead have their partitions', async () => {
  const { platform } = await testServer()
  const { state, sql, now } = platform
  const { upkeepJobs } = await import('./platform.jobs.ts')
  await state.put('test', 'gone', 1, 0.001)
  await state.put('test', 'kept', 1, 600)
  const later = { ...platform, now: () => new Date(now().getTime() + 1000) }
  for (const { run } of upkeepJobs) await run(later)
  expect(await state.peek('test', 'kept')).toBe(1)
  const month = new Date(Date.UTC(now().getUTCFullYear(), now().getUTCMonth() + 2, 1)).toISOString().slice(0, 7)
  const name = `login_records_${month.replace('-', '_')}`
  expect(await sql`select to_regclass(${name}) is not null as there`).toEqual([{ there: true }])
})
