import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { addCampusId, bindAccount, isIn, logInBy } from '../../testing/third-party.ts'

let server: TestServer
let lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) })
})
afterAll(() => server.close())

let people = 0

/** A person linked to Li Lei at Campus ID. */
async function bound(): Promise<string> {
  const account = `person${++people}`
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account })
  await bindAccount(await enterPortal(server, account))
  return account
}

/** One login; returns what was logged about it. */
async function attempt(user = '30000001') {
  lines = []
  const browser = createBrowser(server)
  const answer = await logInBy(server, browser, { user })
  const told = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'third-party login')
  return {
    status: answer.status,
    text: answer.text,
    isIn: isIn(browser),
    detail: told ? `${told.reason}: ${told.detail}` : '',
  }
}

test('a provider that takes ten seconds times out after five', async () => {
  const campus = await addCampusId(server)
  await bound()
  campus.trouble.token = 'slow'
  const begun = performance.now()
  expect(await attempt()).toMatchObject({ isIn: false, status: 502, detail: 'unavailable: token TimeoutError' })
  expect(performance.now() - begun).toBeLessThan(8000)
}, 15_000)
