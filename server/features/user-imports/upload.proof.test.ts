import { afterAll, beforeAll, expect, test } from 'vitest'
import { upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startTasks } from '../background-tasks/index.ts'
import { importTasks } from './index.ts'

let server: TestServer
let root: Portal
let stop: () => Promise<void>
beforeAll(async () => {
  server = await startTestServer()
  ;({ stop } = await startTasks(server.platform, importTasks))
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(async () => {
  await stop()
  await server.close()
})

/** The longest wait of any other request meanwhile, in milliseconds. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const asked = performance.now()
    await (await fetch(`${server.url}/healthz`)).text()
    longest = Math.max(longest, performance.now() - asked)
  }
  await over
  return longest
}

test('while a large file is read everybody else is served', { timeout: 60_000 }, async () => {
  const formulas = `account${',x'.repeat(255)}\n${`${Array(256).fill('=').join(',')}\n`.repeat(8000)}`
  const lines = `a,b\n1,2\n${'\n'.repeat(5_000_000)}`
  for (const file of [formulas, lines]) {
    const bytes = Buffer.from(file)
    // At most half a second on an idle machine; seconds if the file is read in one go.
    expect(await longestWait(upload(root, bytes))).toBeLessThan(1500)
  }
})
