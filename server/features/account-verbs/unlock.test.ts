import { expect, test } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { createBrowser } from '../../testing/browser.ts'
import { logIn } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { accounts, list, PEOPLE, school, verb } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

test('unlocking clears counted failures, and people locked out by failures are in the list of locked people', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  for (let tries = 0; tries < 6; tries += 1) {
    const browser = createBrowser(server)
    await browser.post(
      '/fwk_cas_service/login',
      { username: '20260002', password: 'wrong' },
      { accept: 'application/json' },
    )
  }
  const blocked = await server.platform.sql`select from attempt_counters where blocked_until is not null`
  await server.platform.sql`
    update attempt_counters set blocked_until = ${new Date(server.platform.now().getTime() + 60_000)} where user_id = ${id('20260002')} and kind = 'person'`
  expect(blocked.length).toBeLessThan(3)
  expect((await list(page, 'state=locked')).records[0]?.states[0]).toMatchObject({
    state: 'locked',
    byFailures: true,
  })
  await verb(page, id('20260002'), 'unlock')
  expect(await accounts(page, 'state=locked')).toEqual([])
  await logIn(server, '20260002')
})

test('unlocking before a lock-out clears the failures too, so that the next ones count from zero', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const fail = () => {
    const form = { username: '20260002', password: 'wrong' }
    return createBrowser(server).post('/fwk_cas_service/login', form, { accept: 'application/json' })
  }
  const counted = async () =>
    (
      await server.platform.sql`
        select from attempt_counters where user_id = ${id('20260002')} and cardinality(recent) > 0`
    ).length
  const lift = async (dryRun: boolean) => {
    const body = { selection: { ids: [id('20260002'), id('20260003')] }, verb: 'unlock', dryRun }
    const { changed, unchanged } = (await page.call<BatchAnswer>(`${PEOPLE}/batch_lift/`, { body })).data
    return { changed, unchanged }
  }
  for (const unlock of [() => verb(page, id('20260002'), 'unlock'), () => lift(false)]) {
    await fail()
    expect(await counted()).toBeGreaterThan(0)
    expect(await lift(true)).toEqual({ changed: 1, unchanged: 1 })
    await unlock()
    expect(await counted()).toBe(0)
    expect(await lift(true)).toEqual({ changed: 0, unchanged: 2 })
  }
})
