import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAccess } from '#shared/contract/application-grants.ts'
import type { LoginCheck } from '#shared/contract/login-check.ts'
import { PersonState, type UserDetails } from '#shared/contract/users.ts'
import { createBrowser } from '../../testing/browser.ts'
import { type Granting, type Page, startGranting } from '../../testing/granting.ts'
import { addPerson } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { attempt, setFieldRules, setPolicy } from '../../testing/sign-in.ts'

let school: Granting
beforeAll(async () => {
  school = await startGranting()
  await setPolicy(school.server, { lockAfterFailures: 2 })
})
afterAll(() => school.server.close())

const SERVICE = 'https://open.test/'

/** Sets columns of the row directly, as administrators and jobs do. */
const facts = (changes: Record<string, unknown>) => async (userId: string) => {
  for (const [column, value] of Object.entries(changes)) {
    const { sql } = school.server.platform
    await sql`update users set ${sql(column)} = ${value as string} where id = ${userId}`
  }
}

const failTwice = async (userId: string) => {
  const [row] = await school.server.platform.sql<{ account: string }[]>`select account from users where id = ${userId}`
  for (let tries = 0; tries < 2; tries += 1) await attempt(school.server, row?.account ?? '', 'wrong')
}

type Case = {
  make: (userId: string) => Promise<void>
  /** The answer to the correct password; null: it logs the person in. */
  login: string | null
  /** The reason shown everywhere else. */
  reason: string | null
  state: PersonState
}

const day = (days: number) => school.at(days)
const allowed = { login: null, reason: null }

const CASES: Record<string, () => Case> = {
  usable: () => ({ make: async () => undefined, ...allowed, state: 'enabled' }),
  dormant: () => ({ make: facts({ dormant_since: day(-1) }), ...allowed, state: 'dormant' }),
  'locked by an administrator': () => ({
    make: facts({ locked_at: day(-1) }),
    login: 'sign-in.locked',
    reason: 'account.locked',
    state: 'locked',
  }),
  'locked until yesterday': () => ({
    make: facts({ locked_at: day(-2), locked_until: day(-1) }),
    ...allowed,
    state: 'enabled',
  }),
  'locked by failures': () => ({
    make: failTwice,
    login: 'sign-in.refused',
    reason: 'account.locked-by-failures',
    state: 'locked',
  }),
  frozen: () => ({
    make: facts({ frozen_from: day(-1) }),
    login: 'sign-in.frozen',
    reason: 'account.frozen',
    state: 'frozen',
  }),
  'locked for long dormancy': () => ({
    make: facts({ dormant_since: day(-300), locked_at: day(-1), lock_cause: 'dormancy' }),
    login: 'sign-in.locked',
    reason: 'account.locked',
    state: 'locked',
  }),
  'refused by an access rule everywhere': () => {
    const rule = { name: 'Nobody', mode: 'on', outcome: 'refuse', who: { categories: ['barred'] } }
    return {
      make: async (userId) => {
        const { sql } = school.server.platform
        const { data } = await school.call<{ id: string }>('/user_category/create/', {
          code: 'barred',
          name: 'Barred',
        })
        await sql`update users set category_id = ${data.id} where id = ${userId}`
        await school.call('/access_rule/create/', rule)
      },
      login: 'sign-in.rule-refused',
      reason: 'rule.refused',
      state: 'enabled',
    }
  },
  'frozen from tomorrow': () => ({ make: facts({ frozen_from: day(1) }), ...allowed, state: 'enabled' }),
  'frozen until yesterday': () => ({
    make: facts({ frozen_from: day(-2), frozen_until: day(-1) }),
    ...allowed,
    state: 'enabled',
  }),
  disabled: () => ({
    make: facts({ enabled: false }),
    login: 'sign-in.disabled',
    reason: 'account.disabled',
    state: 'disabled',
  }),
  'not activated': () => ({
    make: facts({ activated: false }),
    login: 'sign-in.inactive',
    reason: 'account.inactive',
    state: 'inactive',
  }),
  expired: () => ({
    make: facts({ valid_until: day(-1) }),
    login: 'sign-in.expired',
    reason: 'account.expired',
    state: 'expired',
  }),
  'not valid yet': () => ({
    make: facts({ valid_from: day(1) }),
    login: 'sign-in.not-yet',
    reason: 'account.not-yet',
    state: 'expired',
  }),
}

test('every state of a person who is not deleted is covered here', () => {
  const asked = Object.values(CASES).map((one) => one().state)
  expect(new Set(asked)).toEqual(new Set(PersonState.options.filter((state) => state !== 'deleted')))
})

/** Everything that reports whether a person can log in, for one person and an application open to all. */
async function told(account: string, userId: string) {
  const { server, call, id } = school
  const open = id('open')
  type Preview = { steps: { name: string; result: string; reason: string | null }[] }
  const { steps } = (await call<Preview>(`/application_manage/${open}/preview/?userId=${userId}`)).data
  const step = steps.find(({ name, result }) => ['account', 'rules'].includes(name) && result === 'refused')
  const why = (await school.why(userId, 'open')).data
  const ofPerson = async (query: string) =>
    (await call<Page<PersonAccess>>(`/application_grant/of_person/${userId}/?${query}`)).data
  const [row] = (await ofPerson('')).records
  const { states } = (await call<UserDetails>(`/user_information/${userId}/full_details/`)).data
  const listed = (
    await call<Page<{ account: string; states: { state: string }[] }>>(
      `/user_information/query/?search=${account}&state=${states[0]?.state}`,
    )
  ).data.records
  const { obstacles } = (await call<LoginCheck>(`/user_information/${userId}/login_check/`)).data
  // Last: a login reactivates a dormant person.
  const browser = createBrowser(server)
  const login = await attempt(server, account, undefined, { browser })
  const entered = await browser.get(`/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}`)
  return {
    login: login.status === 200 ? null : login.code,
    enters: entered.location?.startsWith(SERVICE) ?? false,
    testLogin: step?.reason ?? null,
    headOfPerson: obstacles.map((one) => one.reason),
    why: [why.granted, ...why.obstacles],
    ofPerson: [row?.granted, ...(row?.obstacles ?? [])],
    has: (await ofPerson('granted=1')).total,
    hasNot: (await ofPerson('granted=0')).total,
    state: states[0]?.state,
    listed: listed.length,
  }
}

for (const [at, [name, toCase]] of Object.entries(CASES).entries()) {
  test(`a person who is ${name} is told of alike by login, test login, the head of the person, the reasons, their applications and the list`, async () => {
    const account = `state${at}`
    const userId = await addPerson(school.server, { account })
    const { make, login, reason, state } = toCase()
    await make(userId)
    const may = reason === null
    expect(await told(account, userId)).toEqual({
      login,
      enters: may,
      testLogin: reason,
      headOfPerson: reason ? [reason] : [],
      why: [may, ...(reason ? [reason] : [])],
      ofPerson: [may, ...(reason ? [reason] : [])],
      has: may ? 1 : 0,
      hasNot: may ? 0 : 1,
      state,
      listed: 1,
    })
  })
}

test('a person who is frozen and locked out by failures sees both, and only the lock-out when the freeze is over', async () => {
  const userId = await addPerson(school.server, { account: 'twice' })
  await failTwice(userId)
  const until = async () => (await school.why(userId, 'open')).data.until
  const [row] = await school.server.platform.sql<{ until: Date }[]>`
    select blocked_until as until from attempt_counters where user_id = ${userId}`
  expect(await until()).toBe(row?.until.toISOString())
  await facts({ frozen_from: day(-1) })(userId)
  expect((await school.why(userId, 'open')).data.obstacles).toEqual(['account.frozen', 'account.locked-by-failures'])
  expect(await until()).toBeNull()
})

test('a lock-out of one browser is reported as such, and a missing grant also for a frozen person', async () => {
  const userId = await addPerson(school.server, { account: 'browser' })
  const { sql, now } = school.server.platform
  const until = day(1)
  await sql`insert into attempt_counters (kind, key, user_id, recent, last_at, blocked_until)
    values ('device', ${Buffer.from('one')}, ${userId}, '{}', ${now()}, ${until})`
  type Steps = { steps: { name: string; result: string; reason: string | null; until: string | null }[] }
  const steps = async (appId: string) =>
    (await school.call<Steps>(`/application_manage/${school.id(appId)}/preview/?userId=${userId}`)).data.steps
  expect(await steps('open')).toContainEqual(
    expect.objectContaining({ name: 'account', result: 'warned', reason: 'account.locked-browser', until }),
  )
  expect((await school.why(userId, 'open')).data.granted).toBe(true)
  await facts({ frozen_from: day(-1) })(userId)
  expect(await steps('one')).toContainEqual(
    expect.objectContaining({ name: 'access', result: 'refused', reason: 'application.not-granted' }),
  )
})

test('the login check warns of a password that is too old and of a profile to complete, which a login would require first', async () => {
  const userId = await addPerson(school.server, { account: 'aged' })
  type Steps = { steps: { name: string; result: string; reason: string | null }[] }
  const account = async () =>
    (await school.call<Steps>(`/application_manage/${school.id('open')}/preview/?userId=${userId}`)).data.steps.find(
      ({ name }) => name === 'account',
    )
  expect(await account()).toMatchObject({ result: 'passed', reason: null })
  await setFieldRules(school.server, { 'phone.required': 'next-login' })
  await until(async () => (await account())?.reason === 'account.profile-due', 5000)
  await setPolicy(school.server, { passwordMaxAgeDays: 30 })
  await school.server.platform.sql`update passwords set changed_at = ${day(-31)} where user_id = ${userId}`
  await until(async () => (await account())?.reason === 'account.password-old', 5000)
  const head = await school.call<LoginCheck>(`/user_information/${userId}/login_check/`)
  expect(head.data).toMatchObject({ obstacles: [], demands: ['password-old', 'profile-due'] })
  expect((await account())?.result).toBe('warned')
  const browser = createBrowser(school.server)
  await attempt(school.server, 'aged', undefined, { browser })
  const entered = await browser.get(`/fwk_cas_service/login?service=${encodeURIComponent(SERVICE)}`)
  expect(entered.location ?? '').not.toContain('ticket=')
  await setPolicy(school.server, { passwordMaxAgeDays: 0 })
  await setFieldRules(school.server, { 'phone.required': 'never' })
})

test('the login check notes that somebody has no password, who can log in by other methods only', async () => {
  const userId = await addPerson(school.server, { account: 'keyless' })
  await school.server.platform.sql`delete from passwords where user_id = ${userId}`
  type Steps = { steps: { name: string; result: string; reason: string | null }[] }
  const { steps } = (await school.call<Steps>(`/application_manage/${school.id('open')}/preview/?userId=${userId}`))
    .data
  expect(steps).toContainEqual(
    expect.objectContaining({ name: 'account', result: 'warned', reason: 'account.password-none' }),
  )
})

test('a rule for some networks or one application is told only where it speaks', async () => {
  const userId = await addPerson(school.server, { account: 'ruled', category: 'barred' })
  const { records } = (await school.call<Page<{ id: string; name: string; version: number }>>('/access_rule/query/'))
    .data
  const all = records.find(({ name }) => name === 'Nobody')
  await school.call(`/access_rule/${all?.id}/delete/`, { version: all?.version })
  const who = { categories: ['barred'] }
  const rule = (name: string, more: object) =>
    school.call('/access_rule/create/', { name, mode: 'on', outcome: 'refuse', who, ...more })
  await rule('Outside', { where: { place: 'outside', kinds: ['campus'] } })
  await rule('Only one', { applications: ['one'] })
  const head = async () => (await school.call<LoginCheck>(`/user_information/${userId}/login_check/`)).data
  await until(async () => (await head()).refusedBy.somewhere.length > 0, 5000)
  expect(await head()).toMatchObject({ obstacles: [], refusedBy: { everywhere: [], somewhere: ['Outside'] } })
  type Steps = { steps: { name: string; result: string; reason: string | null; detail: string | null }[] }
  const rules = async (appId: string) =>
    (await school.call<Steps>(`/application_manage/${school.id(appId)}/preview/?userId=${userId}`)).data.steps.find(
      ({ name }) => name === 'rules',
    )
  expect(await rules('open')).toMatchObject({ result: 'warned', reason: 'rule.somewhere', detail: 'Outside' })
  expect(await rules('one')).toMatchObject({ result: 'refused', reason: 'rule.refused', detail: 'Only one' })
  expect((await school.why(userId, 'open')).data.granted).toBe(true)
  expect((await school.why(userId, 'one')).data.obstacles).toContain('rule.refused')
})
