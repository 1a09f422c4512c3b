import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScimClient } from '#shared/contract/scim-clients.ts'
import type { Portal } from '../../testing/portal.ts'
import { ENTERPRISE, openScim, openScimSchool, patchOf, type ScimSession } from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
/** Creates what others change; nothing is limited that it does. */
let hr: ScimSession
beforeAll(async () => {
  ;({ server, root, hr } = await openScimSchool())
})
afterAll(() => server.close())

let made = 0
async function person(): Promise<string> {
  const userName = `hold-${++made}`
  return (await hr.call('POST', '/Users', { userName, displayName: userName, [ENTERPRISE]: { department: 'cs' } })).body
    .id
}
const role = async (displayName: string, members: readonly string[]): Promise<string> =>
  (await hr.call('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) })).body.id
const limited = () => openScim(root, { name: `Held ${++made}`, callsPerMinute: 6000, maxMovedPerDay: 2 })
const shown = async ({ client }: ScimSession) => {
  const { data } = await root.call<ScimClient>(`/scim_client/${client.id}/details/`)
  return { moved: data.changedLastDay.moved, heldKinds: data.heldKinds }
}
const release = ({ client }: ScimSession) =>
  root.call(`/scim_client/${client.id}/release/`, { body: { reason: 'Checked' } })
const withMembers = (client: ScimSession, id: string, members: readonly string[]) => {
  const value = members.map((one) => ({ value: one }))
  return client.call('PATCH', `/Groups/${id}`, patchOf({ op: 'replace', path: 'members', value }))
}
const holds = async ({ client }: ScimSession) => {
  const rows = await server.platform.sql`
    select from audit_records where action = 'scim-client.hold' and target_id = ${client.id}`
  return rows.length
}

test('people who lose a role count as moved; a request that would cross the limit holds the client until it is released', async () => {
  const client = await limited()
  const [one, two, three] = [await person(), await person(), await person()]
  const readers = await role('Hold readers', [one, two, three])
  expect((await withMembers(client, readers, [two, three])).status).toBe(200)
  expect(await shown(client)).toEqual({ moved: 1, heldKinds: [] })
  // One more would do; both together are refused, and written neither.
  const refused = await withMembers(client, readers, [])
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('在管理员放行之前')])
  expect(await shown(client)).toEqual({ moved: 1, heldKinds: ['moved'] })
  expect((await hr.call('GET', `/Groups/${readers}`)).body.members).toHaveLength(2)
  await release(client)
  expect(await shown(client)).toEqual({ moved: 0, heldKinds: [] })
  expect((await withMembers(client, readers, [])).status).toBe(200)
  // Held anew within the hour, and recorded again.
  const writers = await role('Hold writers', [one])
  expect((await withMembers(client, writers, [])).status).toBe(403)
  expect(await shown(client)).toEqual({ moved: 2, heldKinds: ['moved'] })
  expect(await holds(client)).toBe(2)
})

test('a request that alone goes beyond a limit says so, and holds nobody: no release would help', async () => {
  const client = await limited()
  const readers = await role('Hold wide', [await person(), await person(), await person()])
  const refused = await withMembers(client, readers, [])
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('请分批发送')])
  expect(await shown(client)).toEqual({ moved: 0, heldKinds: [] })
  expect(await holds(client)).toBe(0)
})
