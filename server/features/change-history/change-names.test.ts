import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const SCHOOL = {
  organizations: [{ code: 'cs', name: 'Computer Science' }],
  roles: [{ code: 'readers', name: 'Readers' }],
  userCategories: [{ code: 'guest', name: 'Guest' }],
}

const changesOf = async (page: Portal, kind: string) =>
  (await page.call<{ records: Change[] }>(`/change_history/query/?targetKind=${kind}`)).data.records

test('what stands in lists of ids, at any depth, has names too', async () => {
  const server = await testServer()
  const page = await openPortal(server, { account: 'root', isSuperUser: true })
  await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
  const { sql } = server.platform
  const idOf = async (table: string) => (await sql<{ id: string }[]>`select id from ${sql(table)} limit 1`)[0]?.id ?? ''
  const [organization, role, category] = await Promise.all(['organizations', 'roles', 'user_categories'].map(idOf))
  const [root] = await sql<{ id: string; name: string }[]>`select id, name from users where account = 'root'`
  const who = { organizations: [organization], roles: [role] }
  await page.call('/access_rule/create/', { body: { name: 'Some', mode: 'off', outcome: 'notify', who } })
  const [rule] = await changesOf(page, 'access-rule')
  expect(rule?.names).toEqual({ [organization ?? '']: 'Computer Science', [role ?? '']: 'Readers' })
  const book = {
    ...{ name: 'Book', vendor: 'qywx', application: 'corp', secret: 'Hush', mode: 'preview' },
    ...{ roots: [{ organizationId: organization }], categoryIds: [category], responsibleIds: [root?.id] },
  }
  expect((await page.call('/book_sync/create/', { body: book })).envelope.code).toBeUndefined()
  const [sync] = await changesOf(page, 'book-sync')
  expect(Object.values(sync?.names ?? {})).toEqual(expect.arrayContaining(['Computer Science', 'Guest', root?.name]))
})
