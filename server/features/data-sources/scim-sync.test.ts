import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { JsonServer } from '../../testing/json-server.ts'
import { byEntra, openScimSchool, patchOf, type ScimSession } from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

const syncs = new SyncWorld()
const other = new JsonServer()
let school: TestServer
let hr: ScimSession
let base: string
beforeAll(async () => {
  ;({ server: school, hr } = await openScimSchool())
  base = await other.open()
})
afterAll(async () => {
  other.close()
  await school.close()
})

/** A sync of the people of a SCIM server. */
async function scimSync(options: object, more: object = {}, password = 'a-token'): Promise<DirectorySync> {
  const body = { name: syncs.named('SCIM'), kind: 'scim', password, options: { auth: 'bearer', ...options } }
  const { data: source } = await syncs.root.call<{ id: string }>('/data_source/create/', { body })
  const mapping = [
    { column: 'userName', field: 'account' },
    { column: 'displayName', field: 'name' },
  ]
  return await syncs.newSync({ sourceId: source.id, table: 'people', keyColumn: 'id', mapping, ...more })
}

test('people follow a SCIM server, and runs between the nightly ones read what it says has changed', async () => {
  const names = [0, 1, 2, 3, 4].map((at) => syncs.account(at))
  const ids: string[] = []
  for (const name of names) ids.push((await hr.call('POST', '/Users', byEntra(name))).body.id)
  // Written long ago.
  await school.platform.sql`update users set updated_at = now() - interval '2 days'`
  const options = {
    url: `${school.url}/scim/v2`,
    pageSize: 2,
    peopleFilter: `userName sw "${syncs.account(0).slice(0, -1)}"`,
  }
  const sync = await scimSync(
    options,
    { cursorColumn: 'meta.lastModified', thresholds: { changed: 100, field: 100 } },
    hr.token,
  )
  const first = await syncs.approve(await syncs.run(sync))
  expect(first).toMatchObject({ state: 'done', mode: 'full', rowsRead: 5, counts: { new: 5 } })
  expect(await syncs.runChanges(sync)).toMatchObject({ state: 'done', mode: 'incremental', rowsRead: 0 })
  await hr.call('PATCH', `/Users/${ids[3]}`, patchOf({ op: 'replace', path: 'displayName', value: 'Renamed' }))
  const changes = await syncs.runChanges(sync)
  expect(changes).toMatchObject({ state: 'done', mode: 'incremental', rowsRead: 1, counts: { changed: 1 } })
  expect((await syncs.people()).map(({ name }) => name)).toEqual(
    names.map((name, at) => (at === 3 ? 'Renamed' : `Name of ${name}`)),
  )
  const refused = await syncs.root.call<unknown>('/directory_sync/create/', {
    body: { ...given(sync), name: syncs.named('Other'), cursorColumn: 'userName' },
  })
  expect(refused.envelope).toMatchObject({ code: 'directory-sync.no-cursor', data: { fields: ['cursorColumn'] } })
})

const given = ({ sourceId, table, keyColumn, mapping }: DirectorySync) => ({ sourceId, table, keyColumn, mapping })

test('groups that name their parent are departments', async () => {
  const group = 'urn:gatehouse:params:scim:schemas:extension:1.0:Group'
  const options = { url: `${school.url}/scim/v2`, departmentFilter: `${group}:kind eq "organization"` }
  const departments = {
    ...{ table: 'groups', keyColumn: 'id', parentColumn: `${group}:parent.value` },
    mapping: [
      { column: 'displayName', field: 'name' },
      { column: `${group}:code`, field: 'code' },
    ],
  }
  const sync = await scimSync(options, { objects: 'departments', departments }, hr.token)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 3 } })
  const tree = await syncs.sql`
    select o.code, parent.code as parent from organizations o left join organizations parent on parent.id = o.parent_id
    where o.code in ('school', 'cs', 'art') order by o.code`
  expect(tree.map((row) => ({ ...row }))).toEqual([
    { code: 'art', parent: 'school' },
    { code: 'cs', parent: 'school' },
    { code: 'school', parent: null },
  ])
})

test('nobody is missing by a list that was not read to its end', async () => {
  const all = Array.from({ length: 20 }, (_, at) => ({
    ...{ id: `I${at}`, userName: syncs.account(at), displayName: `Person ${at}` },
  }))
  const serve = (people: object[], total = people.length) => {
    other.answer = (_, response, { pathname, searchParams }) => {
      if (!pathname.endsWith('/Users')) response.statusCode = 404
      const from = Number(searchParams.get('startIndex')) - 1
      return { totalResults: total, Resources: people.slice(from, from + 10) }
    }
  }
  serve(all)
  const sync = await scimSync({ url: base }, { leavers: { action: 'disable', runs: 1, days: 0 } })
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 20 } })
  const isEverybodyThere = async () => (await syncs.people()).filter(({ enabled }) => enabled).length === 20
  serve(all.slice(0, 19), 20)
  expect(await syncs.run(sync)).toMatchObject({
    state: 'failed',
    isComplete: false,
    problem: expect.stringContaining('(19 / 20)'),
  })
  other.answer = (_, response, { pathname }) => {
    if (!pathname.endsWith('/Users')) response.statusCode = 404
    return { totalResults: 20, Resources: all.slice(0, 10) }
  }
  expect(await syncs.run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('page') })
  serve([])
  expect(await syncs.run(sync)).toMatchObject({ state: 'failed', rowsRead: 0 })
  expect(await isEverybodyThere()).toBe(true)
  serve(all.slice(0, 19))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { leaver: 1 } })
  expect(await isEverybodyThere()).toBe(false)
})
