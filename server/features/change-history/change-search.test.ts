import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

type Page = { records: Change[]; next: string | null; searchedBackTo: string | null }

const query = async (page: Portal, search: Record<string, string> = {}) =>
  (await page.call<Page>(`/change_history/query/?${new URLSearchParams(search)}`)).data

const roles = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ code: `${prefix}-${at}`, name: `${prefix} ${at}` }))

async function office() {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true, account: 'chief' })
  return { server, page }
}

const createRole = (page: Portal, code: string, name: string) =>
  page.call<{ id: string }>('/role/create/', { body: { code, name } })

test('the changes of one application of the bootstrap file are one row, which can be expanded', async () => {
  const { server, page } = await office()
  await applyBootstrap(server.platform, { roles: roles('Reader', 120) }, { source: 'one' })
  server.advance(60)
  await applyBootstrap(server.platform, { roles: roles('Writer', 3) }, { source: 'two' })
  server.advance(60)
  await createRole(page, 'own', 'By hand')
  const { records, next } = await query(page)
  expect(next).toBeNull()
  expect(records.map(({ action, folded }) => [action, folded?.lines])).toEqual([
    ['role.create', undefined],
    ['bootstrap.apply', 4],
    ['bootstrap.apply', 121],
  ])
  const [, , first] = records
  const behind = { from: first?.folded?.firstAt ?? '', to: new Date(Date.parse(first?.at ?? '') + 1).toISOString() }
  const lines = await query(page, { ...behind, unfolded: '1', pageSize: '100' })
  expect([lines.records.length, lines.next === null]).toEqual([100, false])
  expect(lines.records.every(({ actorWord }) => actorWord === 'bootstrap')).toBe(true)
})

test('a name that takes too long to look up is refused, not waited for', async () => {
  const { server, page } = await office()
  const answer = await server.platform.sql.begin(async (tx) => {
    await tx`lock table login_names in access exclusive mode`
    return await page.call('/change_history/query/?by=somebody')
  })
  expect(answer).toMatchObject({ status: 422, envelope: { code: 'change.search-too-slow' } })
  expect((await query(page, { by: 'somebody' })).records).toEqual([])
})

test('paging continues after a folded row', async () => {
  const { server, page } = await office()
  await createRole(page, 'older', 'Older')
  server.advance(60)
  await applyBootstrap(server.platform, { roles: roles('Reader', 50) }, { source: 'one' })
  const first = await query(page, { pageSize: '1' })
  expect(first.records.map(({ folded }) => folded?.lines)).toEqual([51])
  const second = await query(page, { pageSize: '1', cursor: first.next ?? '' })
  expect(second.records.map(({ targetName }) => targetName)).toEqual(['Older'])
})

test('changes are found by the person concerned, action, reason and value, and by actor', async () => {
  const { server, page } = await office()
  const other = await openPortal(server, { isSuperUser: true, account: 'deputy' })
  await createRole(page, 'readers', '图书馆读者')
  await createRole(other, 'writers', 'Writers 100%')
  const lisi = await openPortal(server, { account: 'lisi' })
  const reason = 'Left the university'
  await other.call(`/user_information/${lisi.user.userId}/lock/`, { body: { reason } })
  await applyBootstrap(server.platform, { settings: { login: { lockMinutes: 20 } } }, { source: 'file' })
  const found = async (search: Record<string, string>) =>
    (await query(page, { unfolded: '1', ...search })).records.map(({ action }) => action)
  expect(await found({ search: '图书馆' })).toEqual(['role.create'])
  expect(await found({ search: '100%' })).toEqual(['role.create'])
  expect(await found({ search: '10_%' })).toEqual([])
  expect(await found({ search: 'lisi' })).toEqual(['account.lock'])
  expect(await found({ search: 'left the' })).toEqual(['account.lock'])
  expect(await found({ search: 'Lock' })).toContain('account.lock')
  expect(await found({ by: 'deputy' })).toEqual(['account.lock', 'role.create'])
  expect(await found({ by: 'deputy', targetKind: 'role' })).toEqual(['role.create'])
  expect(await found({ by: 'deputy', search: 'nobody' })).toEqual([])
  expect(await found({ by: 'bootstrap' })).toEqual(['bootstrap.apply', 'settings.change'])
  expect(await found({ by: 'nobody-like-that' })).toEqual([])
})

async function insertLines(server: TestServer, count: number): Promise<void> {
  await server.platform.sql`
    insert into audit_records (id, at, actor, action, target_kind, target_id, reason)
    select gen_random_uuid(), now() - n * interval '1 second', 'system', 'role.update', 'role', 'x',
      case when n = ${count} then 'needle' end from generate_series(1, ${count}::int) n`
}

test('a search reads some thousand records at a time, says how far back it looked, and can be continued', async () => {
  const { server, page } = await office()
  await insertLines(server, 5001)
  const first = await query(page, { search: 'needle' })
  expect(first.records).toEqual([])
  expect(first.searchedBackTo).not.toBeNull()
  const second = await query(page, { search: 'needle', cursor: first.next ?? '' })
  expect(second.records.map(({ reason }) => reason)).toEqual(['needle'])
  expect([second.next, second.searchedBackTo]).toEqual([null, null])
})

test('a kick-out is titled by the person, not by the id of a session', async () => {
  const { server, page } = await office()
  const lisi = await openPortal(server, { account: 'lisi' })
  await page.call('/current_login_manage/kick_out/', { body: { ids: [lisi.ssoSessionId] } })
  const { records } = await query(page, { targetKind: 'session' })
  expect(records.map(({ action, targetName }) => [action, targetName])).toEqual([['session.kick-out', 'Name of lisi']])
})
