import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { accounts, PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

const newRole = async (page: Portal, code: string): Promise<string> =>
  (await page.call<{ id: string }>('/role/create/', { body: { code, name: code } })).data.id

const change = (page: Portal, body: object) => page.call<BatchAnswer>(`${PEOPLE}/batch_role/`, { body })

test('a role is added to many people and removed, with a preview, the reason for those left alone, and a record each', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const roleId = await newRole(page, 'helpers')
  const ids = [id('20260001'), id('20260002'), v7()]
  const join = { selection: { ids }, verb: 'join', roleId }
  expect((await change(page, { ...join, dryRun: true })).data).toMatchObject({ changed: 2, refusedCount: 1 })
  expect(await accounts(page, `roleId=${roleId}`)).toEqual([])
  const given = (await change(page, join)).data
  expect(given).toMatchObject({ changed: 2, reversibleIds: ids.slice(0, 2), refused: [{ code: 'user.not-found' }] })
  expect(await accounts(page, `roleId=${roleId}`)).toEqual(['20260001', '20260002'])
  expect((await change(page, join)).data).toMatchObject({ changed: 0, unchanged: 2 })
  const { sql } = server.platform
  const lines = () => sql`
    select action, actor_id from audit_records where target_id = ${roleId} and user_id is not null order by at, user_id`
  expect(await lines()).toEqual(Array(2).fill({ action: 'role.join', actorId: page.user.userId }))

  const all = { all: { organizationId: organizationId('school') }, expected: 4 }
  const wrong = await change(page, { selection: { ...all, expected: 3 }, verb: 'leave', roleId })
  expect(wrong.envelope.code).toBe('selection.changed')
  const body = { kind: 'organization', ids: [organizationId('cs')] }
  await page.call(`/role/${roleId}/member/add/`, { body })
  expect((await change(page, { selection: all, verb: 'leave', roleId })).data.changed).toBe(2)
  const again = (await change(page, { selection: { ids: ids.slice(0, 2) }, verb: 'leave', roleId })).data
  expect(again.refused.every(({ code }) => code === 'role.held-by-group')).toBe(true)
  expect(again).toMatchObject({ changed: 0 })
  expect(again.refusedCount).toBeGreaterThan(0)
})

test('only a super user can bulk-assign roles, and a deleted role is reported', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { isSuperUser: true })
  const roleId = await newRole(root, 'helpers')
  const dean = await openPortal(server, {
    permissions: ['edit', 'reset', 'unlock'],
    administers: organizationId('school'),
  })
  const join = { selection: { ids: [id('20260001')] }, verb: 'join' }
  expect((await change(dean, { ...join, roleId })).status).toBe(403)
  expect((await change(root, { ...join, roleId: v7() })).envelope.code).toBe('role.not-found')
  expect(await accounts(root, `roleId=${roleId}`)).toEqual([])
})
