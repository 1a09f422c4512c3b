import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant, PersonAccess } from '#shared/contract/application-grants.ts'
import type { MyApplication } from '#shared/contract/applications.ts'
import { type Granting, type Page, refusal, startGranting, UNKNOWN } from '../../testing/granting.ts'
import { openPortal, type Reply } from '../../testing/portal.ts'

let school: Granting
beforeAll(async () => {
  school = await startGranting()
})
afterAll(() => school.server.close())

const appIds = ({ data }: Reply<Page<MyApplication>>) => data.records.map(({ appId }) => appId).toSorted()

test('a dated grant opens and closes an application on its own, can not be in the past, and its dates can be changed', async () => {
  await school.clear()
  for (const dates of [
    { validUntil: school.at(-1) },
    { validFrom: school.at(3), validUntil: school.at(3) },
    { validFrom: school.at(3), validUntil: school.at(2) },
  ])
    expect(refusal(await school.bind('lilei', { appIds: ['one'], ...dates }))).toEqual([422, 'application-grant.dates'])
  await school.bind('lilei', { appIds: ['one'], validFrom: school.at(1), validUntil: school.at(3) })
  const mine = await openPortal(school.server, { userId: school.id('lilei') })
  const visible = async () =>
    appIds(await mine.call<Page<MyApplication>>(`/user_information/${school.id('lilei')}/app/`)).includes('one')
  expect([await visible(), (await school.why('lilei', 'one')).data.obstacles]).toEqual([
    false,
    ['application.not-granted', 'grant.waiting'],
  ])
  const ending = async (days: number) =>
    (await school.call<Page<Grant>>(`/application_grant/query/?endsWithin=${days}`)).data.total
  expect(await ending(30)).toBe(0)
  await school.advance(1.5)
  expect([(await school.why('lilei', 'one')).data.granted, await ending(1), await ending(2)]).toEqual([true, 0, 1])
  const change = (version: number, validUntil: string) =>
    school.call<Grant>('/application_grant/update/', {
      memberId: school.id('lilei'),
      appId: 'one',
      validUntil,
      version,
    })
  expect((await change(1, school.at(1))).data).toMatchObject({ state: 'running', validFrom: null, version: 2 })
  const late = await change(1, school.at(9))
  expect(refusal(late)).toEqual([409, 'version.conflict'])
  expect((late.data as unknown as { current: Grant }).current).toMatchObject({ appId: 'one', version: 2 })
  await school.advance(1.5)
  expect((await school.why('lilei', 'one')).data).toMatchObject({
    granted: false,
    obstacles: ['application.not-granted', 'grant.over'],
  })
  expect((await school.authorised('lilei')).data.records).toMatchObject([{ appId: 'one', grant: { state: 'over' } }])
})

test('the explanation of a person’s access names every path that grants it, or what prevents it', async () => {
  await school.clear()
  const { sql } = school.server.platform
  for (const member of ['staff', 'school', 'student', 'lilei']) await school.bind(member, { appIds: ['one'] })
  await sql`insert into role_members (role_id, user_id) values (${school.id('staff')}, ${school.id('lilei')})`
  await sql`insert into role_member_groups (role_id, kind, subject_id) values (${school.id('staff')}, 'organization', ${school.id('cs')})`
  await sql`insert into user_organizations (user_id, organization_id) values (${school.id('lilei')}, ${school.id('art')})`
  await school.bind('art', { appIds: ['two'] })
  const one = (await school.why('lilei', 'one')).data
  expect([one.granted, one.obstacles, one.otherGrants]).toEqual([true, [], 0])
  expect(one.paths.map(({ kind, subject, through, via }) => [kind, subject, through, via])).toEqual([
    ['category', 'Student', null, null],
    ['organization', 'School', 'organization', 'Laboratory'],
    ['role', 'Staff', 'organization', 'Computing'],
    ['role', 'Staff', 'user', null],
    ['user', null, null, null],
  ])
  expect((await school.why('lilei', 'two')).data.paths).toMatchObject([
    { kind: 'organization', subject: 'Art', through: 'secondary-organization', via: 'Art' },
  ])
  expect((await school.why('lilei', 'open')).data).toMatchObject({ granted: true, paths: [{ kind: 'whitelist' }] })
  expect((await school.why('wang', 'three')).data).toMatchObject({
    granted: false,
    paths: [],
    obstacles: ['application.not-granted'],
  })
  await school.bind('wang', { appIds: ['closed'] })
  await sql`update users set enabled = false where id = ${school.id('wang')}`
  expect((await school.why('wang', 'closed')).data.obstacles).toEqual(['account.disabled', 'application.disabled'])
  expect((await school.why('wang', 'one')).data.otherGrants).toBe(3)
  await sql`update users set enabled = true where id = ${school.id('wang')}`
  const all = await school.call<Page<PersonAccess>>(`/application_grant/of_person/${school.id('lilei')}/?pageSize=50`)
  expect(all.data.records.map(({ appId, granted, paths }) => [appId, granted, paths.length])).toEqual([
    ['one', true, 5],
    ['open', true, 1],
    ['two', true, 1],
  ])
  const closed = await school.call<Page<PersonAccess>>(`/application_grant/of_person/${school.id('wang')}/?granted=0`)
  expect(closed.data.records.map(({ appId }) => appId)).toEqual(['closed'])
  expect(refusal(await school.why('nobody-at-all-'.padEnd(36, '0'), 'one'))[0]).toBe(400)
  expect(refusal(await school.why(UNKNOWN, 'one'))).toEqual([404, 'application-grant.person-not-found'])
  expect(refusal(await school.why('lilei', UNKNOWN))).toEqual([404, 'application-grant.application-not-found'])
  const reach = await school.call(`/application_grant/to_application/${school.id('one')}/`)
  expect(reach.data).toEqual({
    type: 'system',
    subjects: { role: 1, organization: 1, category: 1, user: 1 },
    people: 3,
    peopleIsLowerBound: false,
    endingSoon: 0,
  })
})

test('the list of grants is filtered, searched and paged without losing or repeating any', async () => {
  await school.clear()
  for (const member of ['staff', 'school', 'student', 'lilei', 'wang'])
    await school.bind(member, { appIds: ['one', 'two', 'three'], validUntil: member === 'wang' ? school.at(5) : null })
  await school.bind('cs', { appIds: ['two'], validFrom: school.at(2) })
  expect((await school.list('')).total).toBe(16)
  expect((await school.list('kind=role')).total).toBe(3)
  expect((await school.list(`applicationId=${school.id('two')}`)).total).toBe(6)
  expect((await school.list('state=waiting')).records).toMatchObject([
    { code: 'cs', member: 'Computing', appId: 'two' },
  ])
  expect((await school.list('state=over')).total).toBe(0)
  expect((await school.list('search=li%20lei')).total).toBe(3)
  expect((await school.list('search=App%20thr')).total).toBe(5)
  expect((await school.list('search=%25')).total).toBe(0)
  for (const sort of ['validUntil', '-validUntil', 'grantedAt', '-grantedAt', 'application', '-application']) {
    const seen: string[] = []
    for (let page = 1; page <= 4; page++)
      seen.push(...(await school.list(`sort=${sort}&pageSize=5&pageIndex=${page}`)).records.map((one) => one.id))
    expect([sort, new Set(seen).size, seen.length]).toEqual([sort, 16, 16])
  }
  expect((await school.list('sort=validUntil')).records[0]?.code).toBe('wang')
  for (const bad of ['sort=name', 'state=x', 'kind=group', 'endsWithin=0', 'endsWithin=a', 'applicationId=1'])
    expect((await school.call(`/application_grant/query/?${bad}`)).status, bad).toBe(400)
})
