import { afterAll, beforeAll, expect, test } from 'vitest'
import { openActivation, refusedKinds } from '../../testing/activation.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1', TRUSTED_PROXIES: '127.0.0.1' } })
  await setPolicy(server, { addressFailures: 100_000, lockAfterFailures: 1000, captchaAfterFailures: 1000 })
})
afterAll(() => server.close())

const { kinds: KINDS, accountOf } = refusedKinds(() => server)

const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length >> 1] ?? 0

test('the information check takes the same time for every failure: medians within 5 ms of an unknown account', async () => {
  for (const [kind, { make }] of Object.entries(KINDS)) await make(accountOf(kind))
  const kinds = Object.entries(KINDS)
  const later = new Map<string, number[]>(kinds.map(([kind]) => [kind, []]))
  const page = openActivation(server)
  for (let round = 0; round < 45; round += 1) {
    const took = new Map<string, number>()
    // Each round starts with another kind and is compared within itself, which cancels out other load on the machine.
    for (const at of kinds.keys()) {
      const [kind, { typed }] = kinds[(at + round) % kinds.length] ?? ['', { typed: {} }]
      const started = performance.now()
      await page.begin({ account: accountOf(kind), ...typed })
      took.set(kind, performance.now() - started)
    }
    for (const [kind, ms] of took) later.get(kind)?.push(ms - (took.get('unknown') ?? 0))
  }
  for (const [kind, differences] of later) expect(Math.abs(median(differences)), kind).toBeLessThan(5)
}, 60_000)
