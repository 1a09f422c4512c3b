import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant } from '#shared/contract/application-grants.ts'
import type { MyApplication } from '#shared/contract/applications.ts'
import { type Granting, type Page, refusal, startGranting, UNKNOWN } from '../../testing/granting.ts'
import { insertAppointment, openPortal, type Portal, type Reply } from '../../testing/portal.ts'

let school: Granting
let local: Portal
beforeAll(async () => {
  school = await startGranting()
  local = await openPortal(school.server, {
    account: 'local',
    permissions: ['authorise'],
    administers: school.id('cs'),
  })
})
afterAll(() => school.server.close())

const appIds = ({ data }: Reply<Page<MyApplication>>) => data.records.map(({ appId }) => appId).toSorted()

test.each(['staff', 'cs', 'student', 'lilei'])(
  'applications move between what %s can be granted and what it has: some, and all; one that is open to all needs no grant',
  async (member) => {
    await school.clear()
    const left = await school.selectable(member)
    expect(left.data.applications.map((one) => [one.appId, one.state])).toEqual([
      ['one', 1],
      ['two', 1],
      ['three', 1],
      ['closed', 0],
    ])
    expect(left.data).toMatchObject({ selectable: 4, authorised: 0, openToAll: 1 })
    expect((await school.selectable(member, 'app%20t')).data).toMatchObject({
      selectable: 4,
      applications: [{ appId: 'two' }, { appId: 'three' }],
    })
    const some = await school.bind(member, { appIds: ['one', 'one', 'closed', 'open', 'portal', 'none'] })
    expect(some.data).toEqual({
      changed: 2,
      refused: [
        { appId: 'open', code: 'application-grant.open-to-all' },
        { appId: 'portal', code: 'application-grant.application-not-found' },
        { appId: 'none', code: 'application-grant.application-not-found' },
      ],
    })
    expect((await school.bind(member, { appIds: ['one'] })).data.refused).toEqual([
      { appId: 'one', code: 'application-grant.held-already' },
    ])
    const has = await school.authorised(member)
    expect(has.data.records.map(({ appId, state }) => [appId, state])).toEqual([
      ['one', 1],
      ['closed', 0],
    ])
    expect(has.data.records[0]).toMatchObject({ grant: { state: 'running', grantedBy: 'Name of root', version: 1 } })
    expect(appIds(await school.authorised(member, '&search=clos'))).toEqual(['closed'])
    expect(appIds(await school.authorised(member, `&pcategoryId=${school.id('study')}`))).toEqual(['one'])
    expect(refusal(await school.bind(member, { all: true, expected: 3 }))).toEqual([
      409,
      'application-grant.changed-meanwhile',
    ])
    expect((await school.bind(member, { all: true, expected: 2 })).data).toMatchObject({ changed: 2 })
    expect((await school.selectable(member)).data.applications).toEqual([])
    expect((await school.remove(member, { appIds: ['one', 'none'] })).data).toMatchObject({
      changed: 1,
      refused: [{ appId: 'none', code: 'application-grant.application-not-found' }],
    })
    expect(refusal(await school.remove(member, { all: true, expected: 4 }))).toEqual([
      409,
      'application-grant.changed-meanwhile',
    ])
    expect((await school.remove(member, { all: true, expected: 3 })).data).toMatchObject({ changed: 3 })
    expect((await school.authorised(member)).data).toMatchObject({ records: [], total: 0 })
  },
)

test('changes of a person’s applications are recorded for each application, and the person sees them', async () => {
  await school.clear()
  await school.bind('lilei', { appIds: ['two'], validUntil: school.at(2) })
  await school.remove('lilei', { appIds: ['two'] })
  const lines = await school.server.platform.sql`
    select action, before, after from audit_records
    where target_id = ${school.id('two')} and user_id = ${school.id('lilei')} order by id desc limit 2`
  expect(lines.toReversed()).toMatchObject([
    {
      action: 'application-grant.give',
      before: null,
      after: { application: 'App two', member: { kind: 'user', code: 'lilei' } },
    },
    { action: 'application-grant.withdraw', after: null },
  ])
})

test('a scoped administrator grants to people and organisations in scope, and nothing else exists for them', async () => {
  await school.clear()
  await school.bind('school', { appIds: ['one'] })
  await school.bind('staff', { appIds: ['one'] })
  await school.bind('wang', { appIds: ['one'] })
  expect((await school.bind('lilei', { appIds: ['one'] }, local)).data).toMatchObject({ changed: 1 })
  expect((await school.bind('lab', { appIds: ['two'] }, local)).data).toMatchObject({ changed: 1 })
  const unknown = await school.bind(UNKNOWN, { appIds: ['one'] }, local)
  const outside = ['school', 'art', 'wang', 'staff', 'student', 'chief', local.user.userId]
  for (const member of outside) {
    for (const reply of [
      await school.bind(member, { appIds: ['two'] }, local),
      await school.remove(member, { appIds: ['one'] }, local),
      await school.remove(member, { all: true, expected: 1 }, local),
      await school.selectable(member, '', local),
      await local.call('/application_grant/update/', {
        body: { memberId: school.id(member), appId: 'one', version: 1 },
      }),
    ]) {
      expect([member, ...refusal(reply)]).toEqual([member, 404, 'application-grant.member-not-found'])
      expect(reply.envelope.message).toBe(unknown.envelope.message)
    }
  }
  for (const member of ['school', 'art', 'wang', 'staff', 'student'])
    expect(refusal(await school.authorised(member, '', local)), member).toEqual([
      404,
      'application-grant.member-not-found',
    ])
  expect(appIds(await school.authorised('lilei', '', local))).toEqual(['one'])
  const list = await local.call<Page<Grant>>('/application_grant/query/')
  expect(list.data.records.map(({ code, grantedBy }) => [code, grantedBy])).toEqual([
    ['lilei', null],
    ['lab', null],
  ])
  expect(list.data.total).toBe(2)
  expect((await school.why('lilei', 'one', local)).data).toMatchObject({ granted: true, otherGrants: null })
  const paths = (await school.why('lilei', 'one', local)).data.paths
  expect(paths.map(({ kind, subject, via }) => [kind, subject, via])).toEqual([
    ['organization', null, 'Laboratory'],
    ['user', null, null],
  ])
  expect(refusal(await school.why('wang', 'one', local))).toEqual([404, 'application-grant.person-not-found'])
  expect(refusal(await local.call(`/application_grant/of_person/${school.id('wang')}/`))).toEqual([
    404,
    'application-grant.person-not-found',
  ])
  const looking = await openPortal(school.server, { permissions: ['edit'], administers: school.id('cs') })
  expect(refusal(await school.bind('lilei', { appIds: ['two'] }, looking))).toEqual([403, 'permission.denied'])
  const grants = await school.server.platform.sql`select from application_grants`
  expect(grants).toHaveLength(5)
})

test('an appointment elsewhere without the permission to grant has no effect there', async () => {
  await school.clear()
  const two = await openPortal(school.server, { permissions: ['authorise'], administers: school.id('cs') })
  await insertAppointment(school.server, two.user.userId, { permissions: ['edit'], administers: school.id('art') })
  expect(refusal(await school.bind('wang', { appIds: ['one'] }, two))).toEqual([
    404,
    'application-grant.member-not-found',
  ])
  expect((await school.authorised('wang', '', two)).data.total).toBe(0)
})

test('requests with too much, too little or both are rejected before anything is written', async () => {
  await school.clear()
  for (const body of [
    {},
    { appIds: [] },
    { appIds: [''] },
    { appIds: ['one'], all: true, expected: 1 },
    { all: false, expected: 4 },
    { all: true },
    { appIds: ['one'], validUntil: 'tomorrow' },
    { appIds: Array.from({ length: 1001 }, (_, n) => `a${n}`) },
  ])
    expect([JSON.stringify(body).slice(0, 60), (await school.bind('lilei', body)).status]).toEqual([
      JSON.stringify(body).slice(0, 60),
      400,
    ])
  expect(await school.server.platform.sql`select from application_grants`).toHaveLength(0)
})

test('two administrators who grant the same at once grant it once', async () => {
  await school.clear()
  const replies = await Promise.all(Array.from({ length: 6 }, () => school.bind('lilei', { appIds: ['one', 'two'] })))
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(replies.reduce((sum, { data }) => sum + data.changed, 0)).toBe(2)
})
