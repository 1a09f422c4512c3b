import { expect, test } from 'vitest'
import type { LoginGroup } from './replay.store.ts'
import { countLogins, emptyTallies, type Judge } from './tallies.service.ts'

const NOWHERE = { rangeId: null, rangeKind: null, name: null }
const refused: Judge = () => ({ keys: ['logins-refused'], places: { before: NOWHERE, after: NOWHERE } })

const groupOf = (logins: number): LoginGroup => ({
  person: null,
  hasApp: false,
  address: null,
  moment: 0,
  application: '',
  hasCaptcha: false,
  lines: Array.from({ length: logins }, (_, at) => `${1_700_000_000_000 + at} person-${at % 7} 10.0.0.1`).join(),
})

test('logins that can’t be counted in time are left out, and the count says so', async () => {
  const counted = async (msLeft: () => number, groups: readonly LoginGroup[]) => {
    const tallies = emptyTallies()
    const isWhole = await countLogins(tallies, groups, refused, msLeft)
    return { isWhole, count: tallies.get('logins-refused')?.count ?? 0 }
  }
  const groups = [groupOf(30_000), groupOf(30_000)]
  expect(await counted(() => 1, groups)).toEqual({ isWhole: true, count: 60_000 })
  const cut = await counted(() => 0, groups)
  expect(cut.isWhole).toBe(false)
  expect(cut.count).toBeGreaterThan(0)
  expect(cut.count).toBeLessThan(30_000)
  // What fits into one slice is always counted.
  expect(await counted(() => 0, [groupOf(100)])).toEqual({ isWhole: true, count: 100 })
})

test('while a week of logins is counted, others have their turn', async () => {
  let turns = 0
  const takeTurns = setInterval(() => (turns += 1), 0)
  await countLogins(emptyTallies(), [groupOf(300_000)], refused, () => 1)
  clearInterval(takeTurns)
  expect(turns).toBeGreaterThan(0)
})
