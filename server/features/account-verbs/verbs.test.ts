import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { logIn } from '../../testing/people.ts'
import { callAs, insertLogin, openPortal, type Portal } from '../../testing/portal.ts'
import { accounts, PEOPLE as BASE, details, school, verb } from '../../testing/school.ts'
import { codeOf, reauthenticate, setUpApp, submitSecondFactor, totpCode } from '../../testing/second-factors.ts'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const STOPS: [string, object, string, string][] = [
  ['disable_user', {}, 'disabled', 'enable_user'],
  ['lock', { reason: 'Asked for' }, 'locked', 'unlock'],
  ['freeze', { reason: 'Leave' }, 'frozen', 'thaw'],
  ['delete', {}, 'deleted', 'restore'],
]

test.each(STOPS)(
  '%s ends the sessions at once on every node, with an audit record; the reverse lets the person log in again',
  async (stop, body, state, lift) => {
    const server = await testServer()
    const { id } = await school(server)
    const node = await server.secondNode()
    const page = await openPortal(server, { isSuperUser: true })
    const lisi = id('20260002')
    const theirs = await openPortal(node, { userId: lisi })
    expect((await verb(page, lisi, stop, body)).status).toBe(200)
    expect((await theirs.call('/certification_record/current_login/')).status).toBe(401)
    await expect(logIn(server, '20260002')).rejects.toThrow(/40[13]/)
    expect(await accounts(page, `state=${state}`)).toEqual(['20260002'])
    expect((await verb(page, lisi, lift)).status).toBe(200)
    await logIn(server, '20260002')
    const { sql } = server.platform
    const lines =
      await sql`select actor_id, reason, before, after from audit_records where user_id = ${lisi} and actor_id is not null order by at`
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({ actorId: page.user.userId, reason: (body as { reason?: string }).reason ?? null })
  },
)

test('deleting a person frees their names; a new person with the same account inherits nothing', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const former = id('20260002')
  await verb(page, former, 'delete', { reason: 'Left' })
  expect((await details(page, former)).data.states[0]?.state).toBe('deleted')
  expect((await page.call(`${BASE}/${former}/update/`, { body: { version: 2, name: 'X' } })).status).toBe(404)
  const body = {
    account: '20260002',
    name: 'Somebody new',
    mailbox: 'lisi@example.edu',
    organizationId: organizationId('art'),
  }
  const created = await page.call<{ id: string }>(`${BASE}/create/`, { body })
  expect(created.data.id).not.toBe(former)
  const { data } = await details(page, created.data.id)
  expect(data).toMatchObject({
    hasPassword: false,
    roles: [],
    lastLoginAt: null,
    alias: null,
    states: [{ state: 'inactive' }],
  })
  await expect(logIn(server, '20260002')).rejects.toThrow('401')
  expect((await verb(page, former, 'restore')).envelope.code).toBe('user.names-taken')
  await verb(page, created.data.id, 'delete')
  expect((await verb(page, former, 'restore')).status).toBe(200)
  await logIn(server, '20260002')
})

type Server = Awaited<ReturnType<typeof testServer>>

/** Sets a password and skips the optional steps. */
async function finishActivation(server: Server, browser: Browser, begun: string): Promise<void> {
  const set = await callAs<{ proof: string; steps: { step: string }[] }>(server, browser, '/activate/password/', {
    body: { proof: begun, password: 'Another-horse-7' },
  })
  expect(set.status).toBe(200)
  let { proof } = set.data
  for (const step of ['security-questions', 'phone', 'mailbox']) {
    const skipped = await callAs<{ proof: string }>(server, browser, '/activate/skip/', { body: { proof, step } })
    if (skipped.status === 200) proof = skipped.data.proof
  }
  expect((await callAs(server, browser, '/activate/', { body: { proof } })).status).toBe(200)
}

async function activateByCode(server: Server, code: string): Promise<void> {
  const browser = createBrowser(server)
  const { data } = await callAs<{ proof: string }>(server, browser, '/activate/code/', { body: { code } })
  await finishActivation(server, browser, data.proof)
}

test('a reset removes every credential, and its one-time code starts activation once', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const theirs = await openPortal(server, { userId: lisi })
  const { sql } = server.platform
  await sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
    values (${v7()}, ${lisi}, 'stolen', ''::bytea, 0, '{}', false, 'Of whoever had it', now())`
  await sql`insert into recovery_codes (user_id, code_hash, created_at) values (${lisi}, 'read by them too'::bytea, now())`
  await sql`
    with provider as (
      insert into third_party_providers (id, key, connector, name, settings, created_at, updated_at)
      values (${v7()}, 'chat', 'oauth2', 'Chat', '{}', now(), now()) returning id)
    insert into third_party_accounts (id, provider_id, realm, subject, user_id, bound_at)
    select ${v7()}, id, 'corp', 'somebody', ${lisi}, now() from provider`
  const reset = await page.call<{ code: string }>(`${BASE}/${lisi}/reset/`, { body: { reason: 'Lost phone' } })
  expect(reset.status).toBe(200)
  expect((await theirs.call('/certification_record/current_login/')).status).toBe(401)
  await expect(logIn(server, '20260002')).rejects.toThrow('401')
  const left = sql`
    select user_id from passkeys union all select user_id from third_party_accounts union all select user_id from recovery_codes`
  expect(await left).toEqual([])
  const again = await page.call<{ code: string }>(`${BASE}/${lisi}/reset/`, { body: {} })
  const browser = createBrowser(server)
  const begin = (code: string) =>
    callAs<{ proof: string; account: string }>(server, browser, '/activate/code/', { body: { code } })
  expect((await begin(reset.data.code)).envelope.code).toBe('activation.code-refused')
  const begun = await begin(again.data.code)
  expect(begun.data.account).toBe('20260002')
  expect((await begin(again.data.code)).envelope.code).toBe('activation.code-refused')
  await finishActivation(server, browser, begun.data.proof)
  await logIn(server, '20260002', { password: 'Another-horse-7' })
  const text = JSON.stringify(await sql`select before, after, reason from audit_records`)
  expect(text).not.toContain(again.data.code)
})

test('a reset keeps the authenticator app, and whoever got the link is asked for its code', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const theirs = await openPortal(server, { userId: lisi })
  await reauthenticate(theirs)
  const { secret, recoveryCodes } = await setUpApp(server, theirs)
  const { data } = await page.call<{ code: string }>(`${BASE}/${lisi}/reset/`, { body: {} })
  await activateByCode(server, data.code)
  const browser = createBrowser(server)
  const login = { username: '20260002', password: 'Another-horse-7' }
  const asked = await browser.post('/fwk_cas_service/login', login, { accept: 'application/json' })
  expect([asked.status, codeOf(asked)]).toEqual([401, 'sign-in.second-factor-required'])
  expect(browser.cookie('CASTGC')).toBeUndefined()
  expect((await submitSecondFactor(browser, { code: totpCode(server, secret) })).status).toBe(200)
  const codes = await server.platform.sql`select 1 from recovery_codes where user_id = ${lisi}`
  expect(codes).toHaveLength(recoveryCodes.length)
})

test('a person who was reset is inactive since the reset, until they activate', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  server.advance(600)
  const resetAt = server.platform.now().toISOString()
  const { data } = await page.call<{ code: string }>(`${BASE}/${lisi}/reset/`, { body: {} })
  const firstState = async () => (await details(page, lisi)).data.states[0]
  expect(await firstState()).toMatchObject({ state: 'inactive' })
  expect((await firstState())?.since?.localeCompare(resetAt)).toBeGreaterThanOrEqual(0)
  await activateByCode(server, data.code)
  expect(await firstState()).toMatchObject({ state: 'enabled', since: null })
})

test('a super user who can log in is always left, even if two remove each other at once', async () => {
  const server = await testServer()
  const one = await openPortal(server, { isSuperUser: true })
  const two = await openPortal(server, { isSuperUser: true })
  const [a, b] = [one.user.userId, two.user.userId]
  for (const name of ['cancel_administrator', 'disable_user', 'lock', 'freeze', 'delete']) {
    expect((await verb(one, a, name)).envelope.code).toBe('user.is-self')
  }
  const both = await Promise.all([verb(one, b, 'cancel_administrator'), verb(two, a, 'cancel_administrator')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [left] = await server.platform.sql<{ id: string }[]>`select id from users where is_super_user`
  const third = await openPortal(server, { isSuperUser: true })
  await server.platform
    .sql`update users set frozen_from = ${server.platform.now()}, frozen_until = null where id = ${third.user.userId}`
  await server.platform.sql`update users set frozen_from = null where id = ${third.user.userId}`
  const page = left?.id === a ? one : two
  await verb(page, third.user.userId, 'cancel_administrator')
  const { version } = (await details(page, left?.id ?? '')).data
  const dated = await page.call(`${BASE}/${left?.id}/update/`, {
    body: { version, validUntil: '2100-01-01T00:00:00Z' },
  })
  expect(dated.envelope.code).toBe('user.last-super-user')
  const batch = await page.call<BatchAnswer>(`${BASE}/batch_update/`, {
    body: { selection: { ids: [left?.id] }, fields: { validUntil: '2100-01-01T00:00:00Z' } },
  })
  expect(batch.data).toMatchObject({ changed: 0, refusedCount: 1, refused: [{ code: 'user.last-super-user' }] })
  const [{ account = '' } = {}] = await server.platform.sql<
    { account: string }[]
  >`select account from users where is_super_user`
  const file = applyBootstrap(
    server.platform,
    { users: [{ account, name: 'X', isSuperUser: false }] },
    { source: 'test' },
  )
  await expect(file).rejects.toThrow('remain a super user')
})

test('a bulk verb reports who was left alone and why, has a preview, and rejects a list that changed', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const strange = v7()
  const ids = [id('20260001'), id('20260002'), strange, page.user.userId]
  const change = (body: object) => page.call<BatchAnswer>(`${BASE}/batch_change/`, { body })
  const preview = await change({ selection: { ids }, verb: 'disable', dryRun: true })
  expect(preview.data).toMatchObject({ changed: 2, unchanged: 0, refusedCount: 2 })
  expect(await accounts(page, 'state=disabled')).toEqual([])
  const done = await change({ selection: { ids }, verb: 'disable' })
  expect(done.data.refused.map(({ code }) => code).toSorted()).toEqual(['user.is-self', 'user.not-found'])
  expect((await change({ selection: { ids: ids.slice(0, 2) }, verb: 'disable' })).data).toMatchObject({
    changed: 0,
    unchanged: 2,
  })
  const all = { all: { organizationId: organizationId('school') }, expected: 4 }
  expect((await change({ selection: { ...all, expected: 3 }, verb: 'enable' })).envelope.code).toBe('selection.changed')
  expect((await change({ selection: all, verb: 'enable' })).data).toMatchObject({ changed: 2, unchanged: 2 })
  const moved = await page.call<BatchAnswer>(`${BASE}/batch_update/`, {
    body: { selection: all, fields: { organizationId: organizationId('art') } },
  })
  expect(moved.data).toMatchObject({ changed: 2, unchanged: 2 })
  expect(await accounts(page, `organizationId=${organizationId('art')}`)).toHaveLength(4)
})

test('a lock or freeze that would end before it begins is rejected at its end, and none begins in the past', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const days = (count: number) => new Date(server.platform.now().getTime() + count * 86_400_000).toISOString()
  const term = { from: days(3), until: days(2) }
  const refused = { code: 'user.dates', data: { fields: ['until'] } }
  expect((await verb(page, lisi, 'lock', { until: days(-1) })).envelope).toMatchObject(refused)
  expect((await verb(page, lisi, 'freeze', { until: days(-1) })).envelope).toMatchObject(refused)
  expect((await verb(page, lisi, 'freeze', term)).envelope).toMatchObject(refused)
  const many = (body: object) => page.call(`${BASE}/batch_change/`, { body: { selection: { ids: [lisi] }, ...body } })
  expect((await many({ verb: 'lock', until: days(-1) })).envelope).toMatchObject(refused)
  expect((await many({ verb: 'freeze', ...term })).envelope).toMatchObject(refused)
  await logIn(server, '20260002')
  const before = server.platform.now()
  await verb(page, lisi, 'freeze', { from: days(-2000), until: days(2) })
  const since = (await details(page, lisi)).data.states[0]?.since ?? ''
  expect(new Date(since).getTime()).toBeGreaterThanOrEqual(before.getTime())
  await expect(logIn(server, '20260002')).rejects.toThrow(/40[13]/)
})

test('a code issued to somebody for a person does not make its holder a super user', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { isSuperUser: true })
  const dean = await openPortal(server, { permissions: ['edit', 'reset'], administers: organizationId('cs') })
  const lisi = id('20260002')
  const { code } = (await dean.call<{ code: string }>(`${BASE}/${lisi}/reset/`, { body: {} })).data
  expect((await verb(root, lisi, 'set_administrator')).status).toBe(200)
  const begun = await callAs(server, createBrowser(server), '/activate/code/', { body: { code } })
  expect(begun.envelope.code).toBe('activation.code-refused')
})

test('a scoped administrator learns the results for a person, but not who and where others are', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { account: 'chief-of-all', isSuperUser: true })
  const dean = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  const lisi = id('20260002')
  await verb(root, lisi, 'lock', { reason: 'Asked for' })
  const paths = [`${BASE}/${lisi}/records/?kind=change`, `/change_history/person/${lisi}/`]
  for (const path of paths) {
    const told = (page: Portal) =>
      page.call<{ records: { ip: string | null }[] }>(path).then(({ data }) => data.records)
    expect(JSON.stringify(await told(root))).toContain('chief-of-all')
    expect((await told(root))[0]?.ip).not.toBeNull()
    const seen = await told(dean)
    expect(seen.length).toBe((await told(root)).length)
    expect(seen[0]?.ip).toBeNull()
    expect(JSON.stringify(seen)).not.toMatch(/chief-of-all/)
  }
})

test('the logins and records of a person are shown, and a login can be ended', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  await logIn(server, '20260002')
  const session = await insertLogin(server, lisi)
  const sessions = await page.call<{ records: { id: string }[]; total: number }>(`${BASE}/${lisi}/sessions/`)
  expect(sessions.data.total).toBe(2)
  const found = await page.call<{ total: number }>(`${BASE}/${lisi}/sessions/?search=203.0.113`)
  expect(found.data.total).toBe(0)
  expect((await page.call(`${BASE}/${lisi}/end_sessions/`, { body: { ids: [session] } })).data).toEqual({
    ended: 1,
    ids: [session],
  })
  expect((await page.call(`${BASE}/${lisi}/end_sessions/`, { body: {} })).data).toMatchObject({ ended: 1 })
  type Records = { records: { what: string; succeeded: boolean }[] }
  expect((await page.call<Records>(`${BASE}/${lisi}/records/`)).data.records[0]).toMatchObject({ succeeded: true })
  expect((await page.call<Records>(`${BASE}/${lisi}/records/?kind=change`)).data.records.length).toBeGreaterThan(1)
})
