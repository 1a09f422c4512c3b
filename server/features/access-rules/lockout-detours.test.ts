import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LocksOutData } from '#shared/contract/access-rules.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY } from '../../testing/sign-in.ts'

/** Changes that lock out by a detour: beside others, by a rollback, or because those who get in can't log in anyway. */
let server: TestServer
let root: Portal
beforeEach(async () => {
  server = await startTestServer(BEHIND_PROXY)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterEach(() => server.close())

const create = (name: string, more: object) =>
  root.call('/access_rule/create/', { body: { name, mode: 'on', outcome: 'refuse', ...more } })
const lockoutIn = (envelope: { code?: string; data: unknown }) => {
  const { rule, whom } = (envelope.data ?? {}) as Partial<LocksOutData>
  return [envelope.code, rule?.name, whom]
}
const makeOne = async (path: string, body: object) =>
  (await root.call<{ id: string; version: number }>(path, { body })).data

test('a super user who is locked or frozen is nobody who gets in', async () => {
  const office = await makeOne('/ip_range/create/', { name: 'Office', kind: 'trusted', networks: ['10.0.0.0/8'] })
  for (const [account, from] of [
    ['one', '10.1.1.1'],
    ['two', '192.0.2.9'],
  ] as const) {
    await addPerson(server, { account, isSuperUser: true })
    expect((await attempt(server, account, PASSWORD, { from })).code).toBe('')
  }
  const [two] = await server.platform.sql<{ id: string }[]>`select id from users where account = 'two'`
  const inside = { where: { ranges: [office.id] } }
  for (const [shut, open] of [
    ['lock', 'unlock'],
    ['freeze', 'thaw'],
  ] as const) {
    expect((await root.call(`/user_information/${two?.id}/${shut}/`, { body: {} })).envelope.state).toBe(200)
    expect(lockoutIn((await create('Not from the office', inside)).envelope)[2]).toBe('super-users')
    await root.call(`/user_information/${two?.id}/${open}/`, { body: {} })
  }
  expect((await create('Not from the office', inside)).envelope.state).toBe(200)
})
