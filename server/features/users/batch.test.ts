import { expect, test, vi } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { openPortal } from '../../testing/portal.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { startTasks } from '../background-tasks/index.ts'
import { changeManyTask } from './index.ts'

test('what is done with more than a thousand goes on in the background, and leaves nobody out', async () => {
  const server = await testServer()
  const { place } = await school(server)
  const { sql, now } = server.platform
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'n' || n, 'N' || n, ${place('cs')}, ${now()}, ${now()} from generate_series(1, 1200) n`
  const page = await openPortal(server, { isSuperUser: true })
  const selection = { all: { organizationId: place('cs'), state: 'enabled' }, expected: 1202 }
  const answer = await page.call<BatchAnswer>(`${PEOPLE}/batch_change/`, { body: { selection, verb: 'disable' } })
  expect(answer.data).toMatchObject({ changed: 0, taskId: expect.any(String) })
  const runner = await startTasks(server.platform, [changeManyTask])
  try {
    await vi.waitFor(
      async () => {
        const [task] = await sql`select state, result from background_tasks where id = ${answer.data.taskId}`
        expect(task).toMatchObject({ state: 'done', result: { changed: 1202, refusedCount: 0 } })
      },
      { timeout: 20_000, interval: 100 },
    )
  } finally {
    await runner.stop()
  }
  const [left] = await sql`select count(*)::int as count from users where enabled and organization_id = ${place('cs')}`
  expect(left?.['count']).toBe(0)
}, 40_000)
