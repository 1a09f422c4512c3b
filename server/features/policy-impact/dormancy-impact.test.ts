import { expect, test } from 'vitest'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { dormancyNight } from '../../testing/dormancy.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

const DAY = 86_400
const SWEEP_AT = 19 * 3600

async function predict(page: Portal, changes: Partial<SignInPolicy>) {
  const { data } = await page.call<{ figures: ImpactFigure[] }>('/policy_impact/login_config/', { body: { changes } })
  return Object.fromEntries(
    data.figures.map(({ key, count, rows }) => [
      key,
      { count, who: rows.map(({ person }) => person.account).toSorted() },
    ]),
  )
}

/** To shortly before the next run. */
function advanceTo(server: TestServer, { before }: { before: number }): void {
  const seconds = Math.floor(server.platform.now().getTime() / 1000)
  server.advance(((SWEEP_AT - (seconds % DAY) + DAY) % DAY) - before)
}

const accountsWith = async ({ platform: { sql } }: TestServer, action: string) =>
  (
    await sql<{ account: string }[]>`
      select u.account from audit_records a join users u on u.id = a.user_id where a.action = ${action} order by 1`
  ).map(({ account }) => account)

test('the people whom a draft of the terms is predicted to make dormant and lock are those whom the nightly run then affects', async () => {
  const server = await testServer()
  const { id } = await school(server)
  await setPolicy(server, { dormantWarnDays: [], dormantAfterDays: 60 })
  advanceTo(server, { before: 600 })
  await logIn(server, '20260002')
  server.advance(61 * DAY)
  await dormancyNight(server)
  for (const account of ['ann', 'bob', 'eve']) await addPerson(server, { account })
  server.advance(20 * DAY)
  await logIn(server, 'bob')
  await addPerson(server, { account: 'late' })
  server.advance(20 * DAY + 300)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  await page.call(`${PEOPLE}/batch_change/`, { body: { selection: { ids: [id('T-100')] }, verb: 'exempt' } })
  await page.call(`${PEOPLE}/${id('20260003')}/disable_user/`, { body: {} })
  const draft = { dormantAfterDays: 30, dormantLockAfterDays: 40, dormantExemptCategories: ['student'] }
  const figures = await predict(page, draft)
  expect(figures).toMatchObject({
    'people-dormant': { count: 2, who: ['ann', 'eve'] },
    'dormant-locked': { count: 1, who: ['20260002'] },
    'run-held': { count: 0 },
  })
  expect(await predict(page, { lockMinutes: 5 })).toEqual({})
  expect(await predict(page, { dormantAfterDays: 0 })).toMatchObject({ 'people-dormant': { count: 0 } })

  const before = await accountsWith(server, 'account.dormant')
  await setPolicy(server, draft)
  server.advance(300)
  const { 'people-dormant': dormant, 'dormant-locked': locked } = figures
  expect(await dormancyNight(server)).toMatchObject({ result: { dormant: dormant?.count, locked: locked?.count } })
  const after = await accountsWith(server, 'account.dormant')
  expect(after.filter((account) => !before.includes(account))).toEqual(dormant?.who)
  expect(await accountsWith(server, 'account.lock-dormant')).toEqual(locked?.who)
})

test('a draft that affects too many is predicted to be held, and the last super users are counted as spared', async () => {
  const server = await testServer()
  advanceTo(server, { before: 600 })
  await addPerson(server, { account: 'chief' })
  await server.platform.sql`update users set is_super_user = true`
  for (let at = 0; at < 25; at += 1) await addPerson(server, { account: `person-${at}` })
  server.advance(40 * DAY)
  const page = await openPortal(server, { account: 'root', isSuperUser: true })
  await server.platform.sql`update users set created_at = created_at - interval '100 days', last_login_at = null`
  const draft = { dormantAfterDays: 30, dormantWarnDays: [] }
  // One of chief and root is spared.
  const figures = await predict(page, draft)
  expect(figures).toMatchObject({ 'people-dormant': { count: 26 }, 'run-held': { count: 26 } })
  expect(figures['run-held']?.who).toEqual(figures['people-dormant']?.who)
  expect(figures['run-held']?.who).toHaveLength(26)
  await setPolicy(server, draft)
  server.advance(600)
  expect(await dormancyNight(server)).toMatchObject({ state: 'failed', error: 'dormancy.held' })
})
