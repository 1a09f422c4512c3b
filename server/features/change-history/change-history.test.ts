import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

type Page = { records: Change[]; next: string | null }
type Preview = { current: object; wanted: object; version: number; missing: { field: string; value: string }[] }

const query = async (page: Portal, search = '') => (await page.call<Page>(`/change_history/query/${search}`)).data

async function office(login = { captchaAfterFailures: 5 }) {
  const server = await testServer()
  const page = await openPortal(server, { account: 'root', isSuperUser: true })
  const apply = (settings: Record<string, Record<string, unknown>>, source = 'test') =>
    applyBootstrap(server.platform, { settings }, { source })
  await apply({ login })
  return { server, page, apply }
}

const settingsOf = async (server: TestServer, name: string) =>
  (
    await server.platform.sql<
      { value: object; version: number }[]
    >`select value, version from settings where name = ${name}`
  )[0]

const sideOf = (side: 'before' | 'after', { at }: Change) => `at=${encodeURIComponent(at)}&side=${side}`
const previewOf = (page: Portal, change: Change, side: 'before' | 'after' = 'before') =>
  page.call<Preview>(`/change_history/${change.id}/roll_back/?${sideOf(side, change)}`)
const rollBack = (page: Portal, change: Change, version: number, side: 'before' | 'after' = 'before') =>
  page.call<{ changed: boolean }>(`/change_history/${change.id}/roll_back/`, {
    body: { at: change.at, side, version, reason: 'Went wrong' },
  })

test('settings show who changed what, when and from where, with the state before and after', async () => {
  const { server, page, apply } = await office()
  await apply({ login: { captchaAfterFailures: 7, lockMinutes: 20 } })
  const { records, next } = await query(page, '?targetKind=settings&targetId=login')
  expect(next).toBeNull()
  expect(records.map(({ before, after }) => [before, after])).toEqual([
    [{ captchaAfterFailures: 5 }, { captchaAfterFailures: 7, lockMinutes: 20 }],
    [{}, { captchaAfterFailures: 5 }],
  ])
  expect(records[0]).toMatchObject({
    action: 'settings.change',
    targetKind: 'settings',
    targetId: 'login',
    actor: null,
    actorWord: 'bootstrap',
    reason: 'test',
    restorable: { before: true, after: true },
  })
  await apply({ login: { captchaAfterFailures: 7 } })
  expect((await query(page, '?targetKind=settings')).records).toHaveLength(2)
  expect(await settingsOf(server, 'login')).toMatchObject({ version: 2 })
})

test('a rollback is shown before, asks for a reason, and stands in the history itself', async () => {
  const { server, page, apply } = await office()
  await apply({ login: { captchaAfterFailures: 7, lockMinutes: 20 } })
  const [change] = (await query(page, '?targetKind=settings')).records
  if (!change) throw new Error('no change')
  const { data } = await previewOf(page, change)
  expect(data).toEqual({
    targetName: null,
    current: { captchaAfterFailures: 7, lockMinutes: 20 },
    wanted: { captchaAfterFailures: 5 },
    version: 2,
    missing: [],
  })
  const withoutReason = await page.call(`/change_history/${change.id}/roll_back/`, {
    body: { at: change.at, side: 'before', version: 2, reason: ' ' },
  })
  expect(withoutReason.status).toBe(400)
  expect((await rollBack(page, change, data.version)).data).toEqual({ changed: true })
  expect(await settingsOf(server, 'login')).toMatchObject({ value: { captchaAfterFailures: 5 }, version: 3 })
  const [own] = (await query(page, '?targetKind=settings')).records
  expect(own).toMatchObject({
    action: 'change.roll-back',
    actor: { account: 'root' },
    reason: 'Went wrong',
    before: { captchaAfterFailures: 7, lockMinutes: 20 },
    after: { captchaAfterFailures: 5 },
    ip: '127.0.0.1',
  })
  if (own) expect((await rollBack(page, own, 3)).data).toEqual({ changed: true })
  expect((await rollBack(page, change, 4, 'after')).data).toEqual({ changed: false })
  expect((await query(page, '?targetKind=settings')).records).toHaveLength(4)
})

test('what somebody changed meanwhile is not overwritten', async () => {
  const { server, page, apply } = await office()
  await apply({ login: { lockMinutes: 20 } })
  const [change] = (await query(page, '?targetKind=settings')).records
  if (!change) throw new Error('no change')
  await apply({ login: { lockMinutes: 30 } })
  const answer = await rollBack(page, change, 2)
  expect([answer.status, answer.envelope.code]).toEqual([409, 'version.conflict'])
  expect(answer.data).toEqual({ current: { captchaAfterFailures: 5, lockMinutes: 30 } })
  expect(await settingsOf(server, 'login')).toMatchObject({ version: 3 })
})

test('a deleted reference in a former state is reported, and left out', async () => {
  const { server, page, apply } = await office()
  await applyBootstrap(server.platform, { userCategories: [{ code: 'guest', name: 'Guest' }] }, { source: 'test' })
  await apply({ login: { secondFactorCategories: ['guest'] } })
  await apply({ login: { secondFactorCategories: [] } })
  const [change] = (await query(page, '?targetKind=settings')).records
  if (!change) throw new Error('no change')
  expect((await previewOf(page, change)).data.missing).toEqual([])
  await server.platform.sql`delete from user_categories where code = 'guest'`
  const { data } = await previewOf(page, change)
  expect(data.missing).toEqual([{ field: 'secondFactorCategories', value: 'guest' }])
  expect((await rollBack(page, change, data.version)).data).toEqual({ changed: false })
})

test('password rules naming a deleted category are restored without it, and not at all if it was the only one', async () => {
  const { server, page, apply } = await office()
  const categories = ['guest', 'staff'].map((code) => ({ code, name: code }))
  await applyBootstrap(server.platform, { userCategories: categories }, { source: 'test' })
  const both = { categories: ['guest', 'staff'], minLength: 12 }
  await apply({ login: { passwordRules: [both, { categories: ['guest'], level: 4 }] } })
  await apply({ login: { passwordRules: [] } })
  const [change] = (await query(page, '?targetKind=settings')).records
  if (!change) throw new Error('no change')
  await server.platform.sql`delete from user_categories where code = 'guest'`
  const { data } = await previewOf(page, change)
  expect(data.missing).toEqual([{ field: 'passwordRules', value: 'guest' }])
  expect((await rollBack(page, change, data.version)).data).toEqual({ changed: true })
  expect((await settingsOf(server, 'login'))?.value).toMatchObject({
    passwordRules: [{ categories: ['staff'], minLength: 12 }],
  })
})

const MAIL = { host: 'mail.example.edu', port: 587, security: 'starttls', user: 'gatehouse', from: 'a@example.edu' }

test('a gateway is rolled back without its secret being shown, stored or restored', async () => {
  const { server, page } = await office()
  const save = (version: number, gateway: object) =>
    page.call<{ version: number }>('/message_gateways/save_mail/', { body: { version, gateway } })
  const sample = { ...MAIL, password: 'first-secret' }
  const first = await save(0, sample)
  expect(first.envelope.code).toBeUndefined()
  await save(1, { ...sample, from: 'b@example.edu', password: 'second-secret' })
  const { records } = await query(page, '?targetKind=settings&targetId=mail')
  expect(JSON.stringify(records)).not.toMatch(/first-secret|second-secret/)
  const [change] = records
  if (!change) throw new Error('no change')
  expect((await rollBack(page, change, 2)).data).toEqual({ changed: true })
  const { data } = await page.call<{ mail: { gateway: object } }>('/message_gateways/query/')
  expect(data.mail.gateway).toMatchObject({ from: 'a@example.edu' })
  await save(3, { ...sample, host: 'other.example.edu', password: 'third-secret' })
  const refused = await rollBack(page, change, 4)
  expect(refused.envelope.code).toBe('settings.secret-needed')
  const [kept] = await server.platform.sql<
    { text: string }[]
  >`select string_agg(a::text, '') as text from audit_records a`
  expect(kept?.text).not.toMatch(/first-secret|second-secret|third-secret/)
})

test('incomplete and unknown records can not be rolled back', async () => {
  const { server, page } = await office()
  const at = server.platform.now()
  const id = v7()
  await server.platform.sql`
    insert into audit_records (id, at, actor, action, target_kind, target_id, before)
    values (${id}, ${at}, 'system', 'request.refused', 'settings', 'login', '{"captchaAfterFailures": 0}')`
  const place = `side=before&at=${encodeURIComponent(at.toISOString())}`
  expect((await page.call(`/change_history/${id}/roll_back/?${place}`)).envelope.code).toBe('change.not-restorable')
  expect((await page.call(`/change_history/${v7()}/roll_back/?${place}`)).envelope.code).toBe('change.not-found')
})

test('the switch of all access rules can not be rolled back in the history, as it has its own command', async () => {
  const { page, apply } = await office()
  await apply({ access: { suspended: true } })
  const [change] = (await query(page, '?targetKind=settings&targetId=access')).records
  if (!change) throw new Error('no change')
  expect(change.restorable).toEqual({ before: false, after: false })
  expect((await rollBack(page, change, 1)).envelope.code).toBe('change.not-restorable')
})

test('pages continue after the last record, however many share its time, and cover every kind in one order', async () => {
  const { server, page } = await office()
  const { sql } = server.platform
  await sql`
    insert into audit_records (id, at, actor, action, target_kind, target_id)
    select gen_random_uuid(), date_trunc('day', now()) + (n / 5) * interval '1 second' + interval '123 microseconds', 'system',
      'settings.change', case when n % 2 = 0 then 'role' else 'settings' end, 'x' from generate_series(1, 57) n`
  const seen: Change[] = []
  let next: string | null = ''
  while (next !== null) {
    const part: Page = await query(page, `?unfolded=1&pageSize=10${next && `&cursor=${encodeURIComponent(next)}`}`)
    seen.push(...part.records)
    next = part.next
  }
  const others = await sql`select id from audit_records where target_kind in ('role', 'settings', 'user')`
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  expect(seen.filter(({ targetKind }) => ['role', 'settings', 'user'].includes(targetKind))).toHaveLength(others.length)
  expect(seen.map(({ at }) => at)).toEqual(
    seen
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  for (const bad of [
    '?cursor=x',
    '?targetId=login',
    '?pageSize=101',
    '?targetKind=users',
    "?cursor=2026-01-01T00:00:00.1Z_' or 1=1",
  ]) {
    expect([bad, (await page.call(`/change_history/query/${bad}`)).status]).toEqual([bad, 400])
  }
})

test('what people change about themselves is in their own history and not in that of the back office', async () => {
  const { server, page } = await office()
  const person = await openPortal(server, { account: 'lilei' })
  await person.call(`/user_information/${person.user.userId}/user_nick/`, { body: { nick: 'Lily', version: 1 } })
  const whole = await query(page, '?targetKind=user')
  expect(whole.records.filter(({ targetId }) => targetId === person.user.userId)).toEqual([])
  const own = (await page.call<Page>(`/change_history/person/${person.user.userId}/`)).data
  expect(own.records.map(({ action, targetName }) => [action, targetName])).toEqual([
    ['nickname.change', 'Name of lilei'],
  ])
})

const SCHOOL = {
  organizations: [{ code: 'cs', name: 'Computer Science' }],
  roles: [{ code: 'readers', name: 'Readers' }],
  userCategories: [{ code: 'guest', name: 'Guest' }],
  applications: [
    { appId: 'library', name: 'Library', protocol: 'cas' as const, serviceUrls: ['https://library.test/'] },
  ],
}
const RENAMED = {
  organizations: [{ code: 'cs', name: 'Informatics' }],
  roles: [{ code: 'readers', name: 'Borrowers' }],
  userCategories: [{ code: 'guest', name: 'Visitor' }],
  applications: [{ appId: 'library', name: 'Reading room', protocol: 'cas' as const }],
}

test('what a change refers to by id is shown by its current name', async () => {
  const { server, page } = await office()
  const school = (parent: string) => ({
    organizations: [
      { code: 'north', name: 'North campus' },
      { code: 'south', name: 'South campus' },
      { code: 'library', name: 'Library', parent },
    ],
  })
  await applyBootstrap(server.platform, school('north'), { source: 'one' })
  await applyBootstrap(server.platform, school('south'), { source: 'two' })
  const [change] = (await query(page, '?targetKind=organization')).records
  const name = (side: 'before' | 'after') => change?.names[String(change[side]?.['parentId'])]
  expect([change?.targetName, name('before'), name('after')]).toEqual(['Library', 'North campus', 'South campus'])
})

test('changes of applications, roles and organisations by the bootstrap file can be rolled back, and the history says so', async () => {
  const { server, page } = await office()
  await applyBootstrap(server.platform, SCHOOL, { source: 'one' })
  await applyBootstrap(server.platform, RENAMED, { source: 'two' })
  for (const [kind, name, former] of [
    ['organization', 'Informatics', 'Computer Science'],
    ['role', 'Borrowers', 'Readers'],
    ['application', 'Reading room', 'Library'],
  ] as const) {
    const [change] = (await query(page, `?targetKind=${kind}`)).records.filter(({ targetName }) => targetName === name)
    expect([kind, change?.action, change?.actorWord, change?.reason]).toEqual([
      kind,
      `${kind}.update`,
      'bootstrap',
      'two',
    ])
    if (!change) continue
    const { data } = await previewOf(page, change)
    expect(data).toMatchObject({ current: { name }, wanted: { name: former }, missing: [] })
    expect((await rollBack(page, change, data.version)).data).toEqual({ changed: true })
    const again = await rollBack(page, change, data.version)
    expect([kind, again.status, again.envelope.code]).toEqual([kind, 409, 'version.conflict'])
    const [own] = (await query(page, `?targetKind=${kind}`)).records
    expect(own).toMatchObject({
      action: 'change.roll-back',
      targetName: former,
      before: { name },
      after: { name: former },
    })
  }
  const [category] = (await query(page, '?targetKind=user-category')).records
  expect(category).toMatchObject({
    before: { name: 'Guest' },
    after: { name: 'Visitor' },
    restorable: { before: false },
  })
})
