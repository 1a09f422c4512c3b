import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNewcomer, openActivation } from '../../testing/activation.ts'
import { addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1', TRUSTED_PROXIES: '127.0.0.1' } })
  await setPolicy(server, { addressFailures: 100_000, lockAfterFailures: 1000, captchaAfterFailures: 1000 })
})
afterAll(() => server.close())

const ID = '999999199901011234'
const RIGHT = { name: 'Wang Fang', idNumber: ID }
const on = (change: string) => async (account: string) => {
  const { userId } = await addNewcomer(server, { account, ...RIGHT })
  await server.platform.sql.unsafe(`update users set ${change} where id = '${userId}'`)
}

/** Cases that must be indistinguishable: which account, in which state, and what was wrong. */
const KINDS: Record<string, { make(account: string): Promise<unknown>; typed: object }> = {
  unknown: { make: async () => {}, typed: RIGHT },
  'wrong name': { make: on('version = 1'), typed: { ...RIGHT, name: 'Wang Fan' } },
  'wrong ID number': { make: on('version = 1'), typed: { ...RIGHT, idNumber: '999999199901011235' } },
  'no ID number typed': { make: on('version = 1'), typed: { name: RIGHT.name } },
  'active, everything right': { make: (account) => addPerson(server, { account, ...RIGHT }), typed: RIGHT },
  'no ID number and nothing to reach': {
    make: (account) => addNewcomer(server, { account, name: RIGHT.name, idNumber: undefined }),
    typed: RIGHT,
  },
  locked: { make: on('locked_at = created_at'), typed: RIGHT },
  frozen: { make: on('frozen_from = created_at'), typed: RIGHT },
  'dormant and active': { make: on('dormant_since = created_at, activated = true'), typed: RIGHT },
  disabled: { make: on('enabled = false'), typed: RIGHT },
  deleted: { make: on('deleted_at = created_at'), typed: RIGHT },
}

const accountOf = (kind: string) => `enum-${kind.replaceAll(/\W/g, '-')}`

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
