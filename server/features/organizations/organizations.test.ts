import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationDetails, OrganizationFound, OrganizationNode } from '#shared/contract/organizations.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
const ids = new Map<string, string>()
const id = (code: string) => ids.get(code) ?? ''

const person = (account: string, organization: string) => ({ account, name: `张${account}`, organization })

beforeAll(async () => {
  server = await startTestServer()
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'school', name: '示范大学', names: { en: 'Demo University' } },
        { code: 'science', name: '理学院', names: { en: 'Science' }, parent: 'school', attribute: 'teaching' },
        { code: 'physics', name: '物理学系', names: { en: 'Physics' }, parent: 'science' },
        { code: 'chemistry', name: '化学系', parent: 'science' },
        { code: 'arts', name: '艺术学院', parent: 'school' },
        { code: 'music', name: '音乐系', parent: 'arts' },
        { code: 'clinic', name: '校医院' },
      ],
      users: [person('p1', 'physics'), person('p2', 'physics'), person('p3', 'science'), person('p4', 'music')],
    },
    { source: 'test' },
  )
  for (const row of await server.platform.sql<{ id: string; code: string }[]>`select id, code from organizations`) {
    ids.set(row.code, row.id)
  }
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

type Listing<Row> = { records: Row[]; total: number }
const children = (page: Portal, parent = '', more = '') =>
  page.call<Listing<OrganizationNode>>(`/organization/children/?pageSize=100${parent && `&parentId=${parent}`}${more}`)
const found = async (page: Portal, search: string) =>
  (await page.call<Listing<OrganizationFound>>(`/organization/search/?search=${encodeURIComponent(search)}`)).data
const details = async (page: Portal, one: string) =>
  (await page.call<OrganizationDetails>(`/organization/${one}/details/`)).data
const change = (page: Portal, one: string, verb: string, body: object) =>
  page.call<OrganizationDetails>(`/organization/${one}/${verb}/`, { body })

test('the tree opens level by level, each with the people in it and below it', async () => {
  const tops = (await children(root)).data
  expect(tops.records.map(({ code, people, hasChildren, parentId }) => [code, people, hasChildren, parentId])).toEqual([
    ['school', 4, true, null],
    ['clinic', 0, false, null],
  ])
  const below = (await children(root, id('school'))).data
  expect(below.records.map(({ code, people, hasChildren }) => [code, people, hasChildren])).toEqual([
    ['science', 3, true],
    ['arts', 1, true],
  ])
  expect(below.records[0]).toMatchObject({
    name: 'Science',
    attribute: 'teaching',
    may: { change: true, hold: true, move: true },
  })
  expect(below.total).toBe(2)
})

test('organisations are listed by their department attribute', async () => {
  const filed = async (attribute: string) => {
    const path = `/organization/search/?attribute=${attribute}`
    return (await root.call<Listing<OrganizationFound>>(path)).data
  }
  const teaching = await filed('teaching')
  expect(teaching.records.map(({ code }) => code)).toContain('science')
  expect(teaching.records.every(({ attribute }) => attribute === 'teaching')).toBe(true)
  expect(teaching.total).toBe(teaching.records.length)
  expect((await filed('nowhere')).records).toEqual([])
})

test('an organisation is found by a part of its name, by pinyin, initials and code, with the path to it', async () => {
  for (const search of ['物理', '理学系', 'Physics', 'phys', 'wulixue', 'wu li xue', 'wlx', 'PHYSICS']) {
    const codes = (await found(root, search)).records.map(({ code }) => code)
    expect([search, codes]).toEqual([search, ['physics']])
  }
  const [physics] = (await found(root, 'physics')).records
  expect(physics?.path.map(({ name }) => name)).toEqual(['Demo University', 'Science'])
  expect(physics?.people).toBe(2)
  expect((await found(root, '%')).total).toBe(0)
})

test('an organisation is created as the last one below its parent, and found at once', async () => {
  const body = { code: 'ai', name: '人工智能系', names: { en: 'AI' }, parentId: id('science'), attribute: 'teaching' }
  const made = await root.call<OrganizationDetails>('/organization/create/', { body })
  expect(made.data).toMatchObject({ code: 'ai', enabled: true, version: 1, people: { direct: 0, all: 0 }, children: 0 })
  expect((await children(root, id('science'))).data.records.at(-1)?.code).toBe('ai')
  expect((await found(root, 'rengongzhineng')).total).toBe(1)
  const [line] = await audits(made.data.id)
  expect(line).toMatchObject({
    action: 'organization.create',
    before: null,
    after: { code: 'ai', parentId: id('science') },
  })
  const twice = await root.call('/organization/create/', { body })
  expect([twice.status, twice.envelope.code]).toEqual([409, 'organization.code-taken'])
  const unknown = await root.call('/organization/create/', { body: { ...body, code: 'ai2', attribute: 'nowhere' } })
  expect([unknown.status, unknown.envelope.code]).toEqual([400, 'organization.unknown-attribute'])
  for (const wrong of [{ code: 'a b' }, { code: 'a/b' }, { name: ' ' }, { name: 'x'.repeat(101) }, { surplus: 1 }]) {
    const refused = await root.call('/organization/create/', { body: { ...body, ...wrong } })
    expect([wrong, refused.status]).toEqual([wrong, 400])
  }
  await change(root, made.data.id, 'delete', { version: 1 })
})

const audits = (target: string) =>
  server.platform.sql<
    { action: string; before: Record<string, unknown> | null; after: Record<string, unknown> | null }[]
  >`select action, before, after from audit_records where target_id = ${target} order by at, id`

test('a change is recorded before and after; an editor with an older version is rejected and shown the current one', async () => {
  const before = await details(root, id('chemistry'))
  const lines = (await audits(id('chemistry'))).length
  const body = { version: before.version, name: '化学学院', names: { en: 'Chemistry' }, attribute: 'teaching' }
  const changed = await change(root, id('chemistry'), 'update', body)
  expect(changed.data).toMatchObject({ name: '化学学院', version: before.version + 1, code: 'chemistry' })
  expect((await audits(id('chemistry'))).at(-1)).toMatchObject({
    action: 'organization.update',
    before: { name: '化学系', names: {}, attribute: null, enabled: true, code: 'chemistry' },
    after: { name: '化学学院', names: { en: 'Chemistry' }, attribute: 'teaching', enabled: true, code: 'chemistry' },
  })
  const lost = await change(root, id('chemistry'), 'update', { version: before.version, name: 'Lost' })
  expect([lost.status, lost.envelope.code]).toEqual([409, 'version.conflict'])
  expect(lost.data).toMatchObject({ current: { name: '化学学院', version: before.version + 1 } })
  const same = await change(root, id('chemistry'), 'update', { ...body, version: before.version + 1 })
  expect(same.data.version).toBe(before.version + 1)
  expect(await audits(id('chemistry'))).toHaveLength(lines + 1)
  const taken = await change(root, id('chemistry'), 'update', { version: before.version + 1, code: 'physics' })
  expect(taken.envelope.code).toBe('organization.code-taken')
})

test('a move includes the whole subtree, keeps every count right, and can be rolled back', async () => {
  const { version } = await details(root, id('science'))
  const moved = await root.call<{ organization: OrganizationDetails; before: object }>(
    `/organization/${id('science')}/move/`,
    { body: { version, parentId: id('arts'), after: null } },
  )
  expect(moved.data.organization.path.map(({ id: one }) => one)).toEqual([id('school'), id('arts')])
  expect(moved.data.before).toEqual({ parentId: id('school'), after: null })
  expect((await children(root, id('arts'))).data.records.map(({ code }) => code)).toEqual(['science', 'music'])
  expect((await found(root, 'physics')).records[0]?.path).toHaveLength(3)
  expect((await details(root, id('arts'))).people).toEqual({ direct: 0, all: 4 })
  const back = await root.call(`/organization/${id('science')}/move/`, {
    body: { version: version + 1, ...moved.data.before },
  })
  expect(back.status).toBe(200)
  expect((await children(root, id('school'))).data.records.map(({ code }) => code)).toEqual(['science', 'arts'])
  expect((await details(root, id('arts'))).people.all).toBe(1)
  await expectTreeInOrder()
})

/** Every path in the tree matches the parents. */
async function expectTreeInOrder() {
  const wrong = await server.platform.sql`
    with recursive tree (id, path) as (
      select id, array[id] from organizations where parent_id is null
      union all select o.id, t.path || o.id from organizations o join tree t on o.parent_id = t.id)
    select o.code from organizations o left join tree t on t.id = o.id where t.path is distinct from o.ancestor_ids`
  expect(wrong).toEqual([])
}

test('an organisation can not be moved below itself, and the error names the obstacle', async () => {
  const { version } = await details(root, id('science'))
  for (const parentId of [id('science'), id('physics')]) {
    const refused = await change(root, id('science'), 'move', { version, parentId })
    expect([refused.status, refused.envelope.code]).toEqual([409, 'organization.below-itself'])
    expect(refused.envelope.message).toContain('Science')
    const merged = await change(root, id('science'), 'merge', { version, into: parentId })
    expect(merged.envelope.code).toBe('organization.below-itself')
  }
  const nowhere = await change(root, id('science'), 'move', { version, parentId: root.user.userId })
  expect([nowhere.status, nowhere.envelope.code]).toEqual([404, 'organization.not-found'])
  await expectTreeInOrder()
})

test('of two moves that together would create a cycle, one is rejected', async () => {
  const node = await server.secondNode()
  const other = await openPortal(node, { isSuperUser: true })
  for (let round = 0; round < 3; round += 1) {
    const [a, b] = await Promise.all([freshTop(`a${round}`), freshTop(`b${round}`)])
    const answers = await Promise.all([
      change(root, a, 'move', { version: 1, parentId: b }),
      change(other, b, 'move', { version: 1, parentId: a }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.envelope.code).toBe('organization.below-itself')
  }
  await expectTreeInOrder()
})

async function freshTop(code: string, more: object = {}) {
  const body = { code, name: `Fresh ${code}`, parentId: null, ...more }
  return (await root.call<OrganizationDetails>('/organization/create/', { body })).data.id
}

test('64 levels are the maximum; more are rejected however they come about', async () => {
  let parentId = await freshTop('deep-1')
  const top = parentId
  for (let level = 2; level <= 64; level += 1) parentId = await freshTop(`deep-${level}`, { parentId })
  const more = await root.call('/organization/create/', { body: { code: 'deep-65', name: 'Too deep', parentId } })
  expect([more.status, more.envelope.code]).toEqual([409, 'organization.too-deep'])
  const above = await freshTop('above-deep')
  const moved = await change(root, top, 'move', { version: 1, parentId: above })
  expect(moved.envelope.code).toBe('organization.too-deep')
  const merged = await change(root, top, 'merge', { version: 1, into: above })
  expect(merged.status).toBe(200)
  await expectTreeInOrder()
})

test('positions among siblings are kept, also when the numbers between two have run out', async () => {
  const parentId = await freshTop('ordered')
  const [a, b] = [await freshTop('o-a', { parentId }), await freshTop('o-b', { parentId })]
  const order = async () => (await children(root, parentId)).data.records.map(({ code }) => code)
  let version = 1
  for (let times = 0; times < 14; times += 1) {
    const one = await freshTop(`o-${times}`, { parentId })
    expect((await change(root, one, 'move', { version: 1, parentId, after: a })).status).toBe(200)
  }
  expect(await order()).toEqual(['o-a', ...Array.from({ length: 14 }, (_, at) => `o-${13 - at}`), 'o-b'])
  await change(root, b, 'move', { version, parentId, after: null })
  version += 1
  expect((await order())[0]).toBe('o-b')
  await change(root, b, 'move', { version, parentId })
  expect((await order()).at(-1)).toBe('o-b')
})

test('an organisation is rolled back to a former state, including its place in the tree', async () => {
  const [old, later] = [await freshTop('place-old'), await freshTop('place-later')]
  const one = await freshTop('wanderer', { parentId: old, attribute: 'teaching' })
  await change(root, one, 'move', { version: 1, parentId: later })
  await change(root, one, 'update', { version: 2, name: 'Renamed', attribute: null })
  const history = await root.call<Listing<{ id: string; at: string; action: string }>>(
    `/change_history/query/?targetKind=organization&targetId=${one}`,
  )
  const moved = history.data.records.find(({ action }) => action === 'organization.move')
  const body = { at: moved?.at, side: 'before', version: 3, reason: 'Moved by mistake' }
  const back = await root.call(`/change_history/${moved?.id}/roll_back/`, { body })
  expect(back.data).toEqual({ changed: true })
  const now = await details(root, one)
  expect(now).toMatchObject({ name: 'Fresh wanderer', attribute: 'teaching', parentId: old })
  await expectTreeInOrder()
})
