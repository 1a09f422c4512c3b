import { expect, test } from 'vitest'
import { systemContext, transaction } from '../../platform/platform.ts'
import { openPortal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks } from '../../testing/tasks.ts'
import { defineTask, startTask } from './index.ts'

test('a task starts at its commit, sooner than the poll that finds what a lost notification left behind', async () => {
  const server = await testServer()
  let runs = 0
  const count = defineTask({
    kind: 'test.count',
    async run() {
      runs += 1
      return {}
    },
  })
  await runTasks(server, [count])
  const { user } = await openPortal(server, { isSuperUser: true })
  const caller = { userId: user.userId, sessionId: '', ssoSessionId: '', isSuperUser: true }
  const ctx = {
    ...systemContext(server.platform),
    caller: { ...caller, permissions: null, limited: false, lacksFactor: false, lacksFields: false },
  }
  await transaction(ctx, (inner) => startTask(inner, { kind: 'test.count', input: {}, total: 1 }))
  expect(await until(() => runs > 0, 5000)).toBeLessThan(3000)
})
