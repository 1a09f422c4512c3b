import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { addCampusId, addLinkedPerson, loggedAttempt } from '../../testing/third-party.ts'

let server: TestServer
const lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) })
})
afterAll(() => server.close())

/** A person linked to Li Lei at Campus ID. */
const bound = async () => (await addLinkedPerson(server)).user.account
const attempt = (user?: string) => loggedAttempt(server, lines, user ? { user } : {})

test('a provider that takes ten seconds times out after five', async () => {
  const campus = await addCampusId(server)
  await bound()
  campus.trouble.token = 'slow'
  const begun = performance.now()
  expect(await attempt()).toMatchObject({ isIn: false, status: 502, detail: 'unavailable: token TimeoutError' })
  expect(performance.now() - begun).toBeLessThan(8000)
}, 15_000)
