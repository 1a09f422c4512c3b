import { expect, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import type { OrganizationDetails, OrganizationNode } from '#shared/contract/organizations.ts'
import { departmentSyncs, OTHER_SCHOOL, SCHOOL, SCHOOL_TREE } from '../../testing/department-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { openScim } from '../../testing/scim.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const EXTENSION = 'urn:gatehouse:params:scim:schemas:extension:1.0:Group'

const syncs = new SyncWorld()
const { mapping, options, give, tree, ranked, first, disagreeing, details } = departmentSyncs(syncs)
const word = () => syncs.account(0)

const change = ({ id, version }: OrganizationDetails, verb: string, body: object) =>
  syncs.root.call(`/organization/${id}/${verb}/`, { body: { version, ...body } })
const said = async (run: SyncRun) =>
  (await syncs.details(run.id)).rows.map(({ externalId, problems }) => [externalId.replace(word(), ''), ...problems])

/** What was written since, apart from the runs themselves. */
async function versions() {
  const rows = await syncs.sql<{ version: number }[]>`
    select version from organizations where code like ${`${word()}%`} order by code`
  return rows.map(({ version }) => version)
}

test('of two sources that disagree about departments the first by rank is right, and a second run of each changes nothing', async () => {
  const { hr, portal, linked } = await disagreeing()
  expect(linked).toMatchObject({ state: 'done', counts: { unchanged: 3 } })
  expect(await tree()).toEqual(SCHOOL_TREE)
  const before = await versions()
  for (const sync of [hr, portal, hr, portal])
    expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 3 } })
  expect([await tree(), await versions()]).toEqual([SCHOOL_TREE, before])
  // What was left to whom is said at the rows, also where they needed no plan.
  const [run] = await syncs.runs(portal)
  const left = `Name: Left to ${hr.name}, which has precedence.`
  expect(await said(run as SyncRun)).toEqual([
    ['a', left],
    ['b', left],
    ['c', left],
  ])
})

test('the place in the tree, attribute and position have owners too; a field that the first one does not fill is the next one’s', async () => {
  const hr = await ranked('HR', 10)
  const extra = ['attribute', 'order'].map((field) => ({ column: field, field }))
  const portal = await ranked('Portal', 20, { mapping: [...mapping, ...extra] })
  await give(hr, SCHOOL)
  await first(hr)
  const { data } = await syncs.root.call<{ code: string }>('/org_attribute/create/', {
    body: { code: `${word()}t`, name: 'Teaching' },
  })
  expect(data.code).toBe(`${word()}t`)
  const line = (key: string, parent: string, more: string) =>
    `${word()}${key},${parent && word() + parent},${key},${more}`
  // All below one, and the top with an attribute and a place.
  const rows = [
    'id,parent,name,attribute,order',
    line('a', '', `${word()}t,7`),
    line('b', 'a', ',8'),
    line('c', 'a', ',9'),
  ]
  await syncs.giveText(portal, `${rows.join('\n')}\n`)
  expect(await first(portal)).toMatchObject({ counts: { changed: 3 } })
  expect(await tree()).toEqual(SCHOOL_TREE)
  const { attribute, position, fieldOwners } = await details('a')
  expect([attribute, position]).toEqual([`${word()}t`, 7])
  const owned = (sync: DirectorySync) => fieldOwners.flatMap(({ field, syncId }) => (syncId === sync.id ? [field] : []))
  expect([owned(hr).sort(), owned(portal).sort()]).toEqual([
    ['code', 'name', 'parentId'],
    ['attribute', 'position'],
  ])
  expect((await said((await syncs.runs(portal))[0] as SyncRun))[2]).toEqual([
    'c',
    ...['Name', 'Parent department'].map((field) => `${field}: Left to ${hr.name}, which has precedence.`),
  ])
  // Without precedence one source moves what the other has placed.
  await syncs.save(hr, { rank: 30 })
  expect(await syncs.run(portal)).toMatchObject({ counts: { changed: 2, moved: 1 } })
  expect((await tree())['c']).toBe('a/c c')
})

test('when ranks are swapped, the other source is right from its next run on', async () => {
  const { hr, portal } = await disagreeing()
  await syncs.save(hr, { rank: 30 })
  expect(await syncs.run(hr)).toMatchObject({ counts: { unchanged: 3 } })
  expect(await syncs.run(portal)).toMatchObject({ counts: { changed: 3 } })
  const names = { a: 'a Other School', b: 'a/b Other Faculty', c: 'a/b/c Other Class' }
  expect(await tree()).toEqual(names)
  const [saved] = (
    await syncs.root.call<{ records: DirectorySync[] }>(
      `/directory_sync/query/?pageIndex=1&pageSize=10&search=${encodeURIComponent(hr.name)}`,
    )
  ).data.records
  expect(await syncs.run(saved as DirectorySync)).toMatchObject({ counts: { unchanged: 3 } })
  expect(await tree()).toEqual(names)
})

test('a pause leaves the owner as it is; a department that its source loses, and a deleted sync, free their fields', async () => {
  const { hr, portal } = await disagreeing()
  const pause = (isPaused: boolean) => syncs.root.call('/directory_sync_switch/update/', { body: { isPaused } })
  expect((await pause(true)).envelope.state).toBe(200)
  expect((await change(await details('c'), 'update', { name: 'By hand' })).envelope.state).toBe(400)
  await pause(false)
  await give(hr, SCHOOL.slice(0, 2))
  await syncs.run(hr)
  expect(await syncs.run(portal)).toMatchObject({ counts: { changed: 1, unchanged: 2 } })
  expect(await tree()).toEqual({ ...SCHOOL_TREE, c: 'a/b/c Other Class' })
  expect((await syncs.root.call(`/directory_sync/${hr.id}/delete/`, { body: { version: hr.version } })).status).toBe(
    200,
  )
  expect(await syncs.run(portal)).toMatchObject({ counts: { changed: 2, unchanged: 1 } })
  expect(
    (await syncs.root.call(`/directory_sync/${portal.id}/delete/`, { body: { version: portal.version } })).status,
  ).toBe(200)
  const free = await details('c')
  expect(free.fieldOwners).toEqual([])
  expect((await change(free, 'update', { name: 'By hand' })).envelope.state).toBe(200)
})

test('the back office refuses changes of owned fields by name, in its language; other fields are free', async () => {
  const { hr } = await disagreeing()
  const [created] = await syncs.runs(hr)
  const one = await details('b')
  expect(one.fieldOwners.find(({ field }) => field === 'name')).toEqual({
    ...{ field: 'name', syncId: hr.id, sync: hr.name, source: hr.sourceName },
    ...{ runId: created?.id, since: expect.any(String) },
  })
  const refused = async (verb: string, body: object, language = 'en') => {
    const { envelope } = await syncs.root.call(`/organization/${one.id}/${verb}/`, {
      body: { version: one.version, ...body },
      headers: { 'accept-language': language },
    })
    return { code: envelope.code, ...(envelope.data as unknown as object), message: envelope.message }
  }
  const code = 'organization.owned-by-source'
  expect(await refused('update', { name: 'Hand', code: 'hand', attribute: null })).toEqual({
    ...{ code, fields: ['name', 'code'] },
    message: `${hr.sourceName} manages these fields of “Faculty”: Name, Code. Change them there`,
  })
  expect((await refused('update', { name: 'Hand' }, 'zh-CN')).message).toBe(
    `“Faculty”的以下字段由“${hr.sourceName}”维护，请在该系统中修改：名称`,
  )
  expect(await refused('move', { parentId: null })).toMatchObject({ code, fields: ['parentId'] })
  // Nothing was changed, and what nobody owns can be.
  expect(await details('b')).toEqual(one)
  const free = { names: { en: 'Faculty of hands' }, enabled: false }
  expect((await change(one, 'update', { name: one.name, code: one.code, ...free })).envelope.state).toBe(200)
  expect((await change(await details('b'), 'move', { parentId: one.parentId, after: null })).envelope.state).toBe(200)
  // The run keeps what it doesn't fill.
  expect(await syncs.run(hr)).toMatchObject({ counts: { unchanged: 3 } })
})

test('the tree says what a source places, and may move only what the server would', async () => {
  const order = { column: 'order', field: 'order' }
  const hr = await ranked('HR', 10)
  const portal = await ranked('Portal', 20, { mapping: [...mapping, order] })
  await give(hr, SCHOOL)
  await first(hr)
  await syncs.giveText(portal, `id,parent,name,order\n${word()}a,,a,3\n${word()}c,${word()}a,c,4\n`)
  await first(portal)
  const [a, b, c] = [await details('a'), await details('b'), await details('c')]
  const made = await syncs.root.call<OrganizationDetails>('/organization/create/', {
    body: { code: `${word()}x`, name: 'Hand', parentId: b.id },
  })
  const nodesOf = async (path: string) => {
    const { data } = await syncs.root.call<{ records: OrganizationNode[] } | { nodes: OrganizationNode[] }>(path)
    const nodes = 'nodes' in data ? data.nodes : data.records
    return nodes.map(({ id, may, placedBy }) => [id, may.move, placedBy.parentId, placedBy.position])
  }
  const owned = [c.id, false, hr.sourceName, portal.sourceName]
  const free = [made.data.id, true, null, null]
  expect(await nodesOf(`/organization/children/?parentId=${b.id}`)).toEqual([owned, free])
  expect(await nodesOf(`/organization/${c.id}/path/`)).toEqual([
    [a.id, false, hr.sourceName, portal.sourceName],
    [b.id, true, hr.sourceName, null],
    owned,
  ])
  expect(await nodesOf(`/organization/search/?search=${word()}c`)).toEqual([owned])
  // Exactly those moves are refused.
  for (const to of [{ parentId: b.id }, { parentId: a.id }, { parentId: null }])
    expect((await change(c, 'move', to)).envelope.code).toBe('organization.owned-by-source')
  expect((await change(b, 'move', { parentId: null })).envelope.code).toBe('organization.owned-by-source')
  expect((await change(b, 'move', { parentId: a.id, after: null })).envelope.state).toBe(200)
  expect((await change(made.data, 'move', { parentId: a.id })).envelope.state).toBe(200)
})

test('neither a merge nor a rollback changes what a source owns', async () => {
  const { hr } = await disagreeing()
  const [top, middle] = [await details('a'), await details('b')]
  const made = await syncs.root.call<OrganizationDetails>('/organization/create/', {
    body: { code: `${word()}x`, name: 'Hand', parentId: top.id },
  })
  const merged = await change(middle, 'merge', { into: made.data.id })
  expect(merged.envelope).toMatchObject({ code: 'organization.owned-by-source', data: { fields: ['parentId'] } })
  expect(merged.envelope.message).toContain('Class')
  expect(await tree()).toEqual({ ...SCHOOL_TREE, x: 'a/x Hand' })
  await give(hr, OTHER_SCHOOL)
  await syncs.run(hr)
  const history = await syncs.root.call<{ records: { id: string; at: string; action: string }[] }>(
    `/change_history/query/?targetKind=organization&targetId=${middle.id}`,
  )
  const renamed = history.data.records.find(({ action }) => action === 'organization.update')
  const { version } = await details('b')
  const body = { at: renamed?.at, side: 'before', version, reason: 'By mistake' }
  const back = await syncs.root.call(`/change_history/${renamed?.id}/roll_back/`, { body })
  expect(back.envelope).toMatchObject({ code: 'organization.owned-by-source', data: { fields: ['name'] } })
  expect((await tree())['b']).toBe('a/b Other Faculty')
})

test('the bootstrap file leaves what a source owns as it is', async () => {
  await disagreeing()
  const document = {
    organizations: [
      { code: `${word()}a`, name: 'By file', names: { en: 'File' } },
      { code: `${word()}c`, name: 'By file', parent: null, position: 5 },
      { code: `${word()}n`, name: 'New', parent: `${word()}c` },
    ],
  }
  await applyBootstrap(syncs.server.platform, document, { source: 'a test' })
  expect(await tree()).toEqual({ ...SCHOOL_TREE, n: 'a/b/c/n New' })
  expect([(await details('a')).names, (await details('c')).position]).toEqual([{ en: 'File' }, 5])
  // What is left out is checked: it counts as soon as the source has lost the department.
  const lost = { organizations: [{ code: `${word()}c`, name: 'By file', parent: `${word()}z` }] }
  await expect(applyBootstrap(syncs.server.platform, lost, { source: 'a test' })).rejects.toThrow(
    'organizations[0].parent: no organisation with the code',
  )
})

test('siblings whose position a source owns are not renumbered to make room for another one', async () => {
  const order = { column: 'order', field: 'order' }
  const sync = await ranked('HR', 10, { mapping: [...mapping, order] })
  const rows = ['b', 'c'].map((key, at) => `${word()}${key},${word()}a,${key},${at + 1}`)
  await syncs.giveText(sync, ['id,parent,name,order', `${word()}a,,a,1`, ...rows, ''].join('\n'))
  await first(sync)
  const [{ id: parentId }, { id: after }] = [await details('a'), await details('b')]
  const { data } = await syncs.root.call<OrganizationDetails>('/organization/create/', {
    body: { code: `${word()}x`, name: 'Hand', parentId },
  })
  expect((await change(data, 'move', { parentId, after })).envelope).toMatchObject({
    ...{ code: 'organization.owned-by-source', data: { fields: ['position'] } },
  })
  expect((await change(data, 'move', { parentId, after: null })).envelope.state).toBe(200)
  expect(await syncs.run(sync)).toMatchObject({ counts: { unchanged: 3 } })
})

test('a SCIM client can neither rename nor move what a source owns, and is told how it is', async () => {
  const { hr } = await disagreeing()
  const client = await openScim(syncs.root)
  const { id } = await details('c')
  const { body, status } = await client.call('PUT', `/Groups/${id}`, {
    ...{ displayName: 'Pushed', [EXTENSION]: { kind: 'organization', parent: null } },
  })
  expect([status, body.displayName]).toEqual([200, 'Class'])
  expect(await tree()).toEqual(SCHOOL_TREE)
  expect(await syncs.run(hr)).toMatchObject({ counts: { unchanged: 3 } })
  await syncs.sql`delete from directory_department_links where organization_id = ${id}`
  expect((await client.call('PUT', `/Groups/${id}`, { displayName: 'Pushed' })).body.displayName).toBe('Pushed')
})

test('a SCIM client that deletes what it created takes no department from a source', async () => {
  const client = await openScim(syncs.root, { name: 'Pushing' })
  const code = `${word()}a`
  const made = await client.call('POST', '/Groups', {
    ...{ displayName: 'School', [EXTENSION]: { kind: 'organization', code } },
  })
  expect(made.status).toBe(201)
  const sync = await ranked('HR', 10, { matchByCode: true })
  await give(sync, SCHOOL.slice(0, 1))
  await first(sync)
  expect((await client.call('DELETE', `/Groups/${made.body.id}`)).status).toBe(204)
  expect((await client.call('GET', `/Groups/${made.body.id}`)).status).toBe(404)
  const kept = await details('a')
  expect([kept.id, kept.fieldOwners.length]).toEqual([made.body.id, 3])
})

test('the preview says which values would be left to another source', async () => {
  const { hr, portal } = await disagreeing()
  const body = {
    sourceId: portal.sourceId,
    syncId: portal.id,
    of: 'departments',
    keyColumn: options.keyColumn,
    mapping,
  }
  const { data } = await syncs.root.call<{ rows: { values: { value: string; problem: string | null }[] }[] }>(
    '/directory_sync/preview/',
    { body },
  )
  expect(data.rows.map(({ values }) => values.map(({ problem }) => problem))).toEqual(
    SCHOOL.map(() => [null, `Left to ${hr.name}, which has precedence.`]),
  )
})
