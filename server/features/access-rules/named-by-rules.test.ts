import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

/** A version is told of some kinds only; the first is 1. */
type Saved = { id: string; version?: number }
async function make(path: string, body: object): Promise<Saved> {
  const { envelope, data } = await root.call<Saved>(`${path}/create/`, { body })
  if (envelope.state !== 200) throw new Error(`${path}: ${envelope.code} ${JSON.stringify(envelope.data)}`)
  return data
}
const remove = (path: string, { id, version = 1 }: Saved) => root.call(`${path}/${id}/delete/`, { body: { version } })

test('what a rule in force that asks for a second factor names is not deleted before the rule', async () => {
  const role = await make('/role', { code: 'named', name: 'Named' })
  const category = await make('/user_category', { code: 'named', name: 'Named' })
  const department = await make('/organization', { code: 'named', name: 'Named', parentId: null })
  const who = { roles: [role.id], categories: ['named'], organizations: [department.id] }
  const asking = await make('/access_rule', { name: 'Asks them', mode: 'on', outcome: 'second-factor', who })
  const all = [
    ['/role', role],
    ['/user_category', category],
    ['/organization', department],
  ] as const
  for (const [path, one] of all)
    expect([path, (await remove(path, one)).envelope.code]).toEqual([path, 'access-rule.names-it'])
  await remove('/access_rule', asking)
  for (const [path, one] of all) expect([path, (await remove(path, one)).status]).toEqual([path, 200])
})

test('nor is an application that such a rule names', async () => {
  const id = await addCasApplication(server, { appId: 'shop' })
  const asking = await make('/access_rule', {
    ...{ name: 'Asks for the shop', mode: 'on', outcome: 'second-factor', applications: ['shop'] },
  })
  const selection = { ids: [id] }
  await root.call('/application_manage/set_enabled/', { body: { selection, enabled: false } })
  const refused = await root.call<{ changed: number; refused: object[] }>('/application_manage/delete/', {
    body: { selection },
  })
  expect(refused.data).toMatchObject({ changed: 0, refused: [{ code: 'access-rule.names-it' }] })
  await remove('/access_rule', asking)
  const done = await root.call<{ changed: number }>('/application_manage/delete/', { body: { selection } })
  expect(done.data.changed).toBe(1)
})
