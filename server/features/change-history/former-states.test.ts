import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

test('a former state that is no longer allowed is refused by the name of its field', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const range = { name: 'Library', names: {}, kind: 'campus', networks: ['10.1.0.0/16'], note: '', enabled: true }
  const role = { code: 'readers', name: 'Readers', names: {}, description: '' }
  const create = async (path: string, body: object) =>
    (await page.call<{ id: string }>(`/${path}/create/`, { body })).data.id
  /** What the server says to rolling back to a state as an older version may have recorded it. */
  const rollBackTo = async (targetKind: string, targetId: string, state: object) => {
    const [id, at] = [v7(), server.platform.now()]
    const action = targetKind === 'settings' ? 'settings.change' : `${targetKind}.update`
    await server.platform.sql`
      insert into audit_records (id, at, actor, action, target_kind, target_id, before, after)
      values (${id}, ${at}, 'system', ${action}, ${targetKind}, ${targetId}, ${JSON.stringify(state)}::text::jsonb, '{}')`
    const body = { at: at.toISOString(), side: 'before', version: targetKind === 'settings' ? 0 : 1, reason: 'test' }
    const { status, envelope } = await page.call(`/change_history/${id}/roll_back/`, { body })
    return [status, envelope.message]
  }
  expect(await rollBackTo('settings', 'login', { passwordMinLength: 2 })).toEqual([
    400,
    "“Minimum password length” can't be used: At least 6.",
  ])
  expect(await rollBackTo('ip-range', await create('ip_range', range), { ...range, networks: [] })).toEqual([
    400,
    expect.stringMatching(/^“Networks” can't be used: \S/),
  ])
  expect(await rollBackTo('role', await create('role', role), { ...role, name: '' })).toEqual([
    400,
    "“Name” can't be used: Please fill this in.",
  ])
})
