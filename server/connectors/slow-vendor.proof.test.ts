import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../testing/browser.ts'
import { addPerson, PASSWORD } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { enterPortal } from '../testing/sign-in.ts'
import { addVendor, leaveVendor, returnFromVendor } from '../testing/vendors.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Concurrent logins waiting for the vendor. */
const WAITING = 50
const LOGINS = 25

async function passwordLogins(): Promise<number[]> {
  const times: number[] = []
  for (let login = 0; login < LOGINS; login++) {
    const begun = performance.now()
    await enterPortal(server, 'lilei', PASSWORD)
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)
}

const at = (times: readonly number[], share: number): number => times[Math.ceil(times.length * share) - 1] ?? 0

test('while many wait for a vendor that does not answer, people log in by password as before', async () => {
  await addPerson(server, { account: 'lilei' })
  const simulator = await addVendor(server, 'qywx')
  await passwordLogins()
  const before = await passwordLogins()

  simulator.trouble = { token: 'slow' }
  let isOver = false
  let refused = 0
  const keepWaiting = async () => {
    while (!isOver) {
      const browser = createBrowser(server)
      const back = await leaveVendor(browser, 'qywx', { person: 'LiLei' })
      const { status } = await returnFromVendor(server, browser, back)
      if (status >= 500) refused += 1
    }
  }
  const crowd = Array.from({ length: WAITING }, keepWaiting)
  const during: number[] = []
  // Several times the five-second timeout for the vendor.
  const end = performance.now() + 20_000
  while (performance.now() < end) during.push(...(await passwordLogins()))
  isOver = true
  await Promise.all(crowd)
  during.sort((a, b) => a - b)

  const told = `median ${at(before, 0.5).toFixed()} → ${at(during, 0.5).toFixed()} ms, p99 ${at(before, 0.99).toFixed()} → ${at(during, 0.99).toFixed()} ms, ${during.length} logins, ${refused} refused`
  if (process.env['TEST_LOG']) process.stdout.write(`${told}\n`)
  expect(refused, told).toBeGreaterThan(WAITING)
  // The crowd runs in this process too and returns all at once every five seconds, which the slowest logins notice.
  expect(at(during, 0.5), told).toBeLessThan(at(before, 0.5) * 2)
  expect(at(during, 0.9), told).toBeLessThan(at(before, 0.9) * 2)
  // Nobody waits as long as the vendor's timeout.
  expect(at(during, 1), told).toBeLessThan(4000)
}, 180_000)
