import { afterAll, beforeAll, expect, test } from 'vitest'
import type { school } from '../../testing/school.ts'
import { byEntra, ENTERPRISE, usersWhere as of, openScimSchool, type ScimSession } from '../../testing/scim.ts'
import type { TestServer } from '../../testing/server.ts'

let server: TestServer
let hr: ScimSession
let ids: Awaited<ReturnType<typeof school>>
beforeAll(async () => {
  ;({ server, hr, ids } = await openScimSchool())
})
afterAll(() => server.close())

test('filters match every stored attribute, combined, negated and within values', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e140', { displayName: 'Zoë "the" 100% fit' }))
  const at = body.meta.lastModified
  const total = async (filter: string) => (await hr.call('GET', of(filter))).body.totalResults
  const mine = 'userName eq "e140" and '
  for (const yes of [
    'externalId eq "entra-e140"',
    `id eq "${body.id}"`,
    'displayName co "THE\\" 100% F"',
    'name.formatted sw "zoë"',
    'urn:ietf:params:scim:schemas:core:2.0:User:displayName ew "fit"',
    'emails eq "E140@example.edu"',
    'emails[type eq "work" and value co "140@"]',
    'emails[type eq "work"].value eq "E140@example.edu"',
    'emails[type eq "work"].value pr',
    'emails.type eq "work"',
    'active eq True',
    'active eq "true"',
    'not (active eq false)',
    'nickName ne "x"',
    'not (nickName pr)',
    'nickName eq null',
    `${ENTERPRISE}:department eq "computing"`,
    `meta.lastModified ge "${at}" and meta.created le "${at}"`,
    `groups.value eq "${ids.organizationId('cs')}"`,
    `groups[value eq "${ids.organizationId('cs')}"]`,
    '(userName eq "nobody" or userName sw "E14") and userName pr',
  ])
    expect([yes, await total(mine + yes)]).toEqual([yes, 1])
  for (const no of [
    'emails[type eq "home"]',
    'emails[type eq "home"].value eq "e140@example.edu"',
    'externalId eq "ENTRA-E140"',
    'displayName co "100_"',
    'id eq "x"',
  ])
    expect([no, await total(mine + no)]).toEqual([no, 0])
})

test('pages count from one, are limited, and continue after 10,000 by a cursor', async () => {
  for (let n = 0; n < 5; n++) await hr.call('POST', '/Users', { userName: `page-${n}`, displayName: 'P' })
  const search = 'filter=userName%20sw%20%22page-%22'
  const { body } = await hr.call('GET', `/Users?${search}&startIndex=2&count=2`)
  expect(body).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 2 })
  expect(body.Resources.map((one: { userName: string }) => one.userName)).toEqual(['page-1', 'page-2'])
  expect((await hr.call('GET', `/Users?${search}&count=0`)).body).toMatchObject({ totalResults: 5, Resources: [] })
  expect((await hr.call('GET', `/Users?${search}&startIndex=-3&count=100000`)).body.itemsPerPage).toBe(5)
  const seen: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { body: page } = await hr.call('GET', `/Users?${search}&count=2&cursor=${cursor}`)
    seen.push(...page.Resources.map((one: { userName: string }) => one.userName))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4'])
  const deep = await hr.call('GET', '/Users?startIndex=10001')
  expect([deep.status, deep.body.scimType]).toEqual([400, 'invalidValue'])
  const wrong = await hr.call('GET', '/Users?cursor=nonsense')
  expect([wrong.status, wrong.body.scimType]).toEqual([400, 'invalidCursor'])
  const posted = await hr.call('POST', '/Users/.search', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'userName sw "page-"',
    attributes: ['userName'],
    count: 1,
  })
  expect(posted.body).toMatchObject({ totalResults: 5, Resources: [{ userName: 'page-0' }] })
  expect(Object.keys(posted.body.Resources[0]).toSorted()).toEqual(['id', 'schemas', 'userName'])
})

test('attributes and excludedAttributes decide what is answered, however they are written', async () => {
  const { body } = await hr.call('POST', '/Users', byEntra('e150'))
  const keys = async (query: string) =>
    Object.keys((await hr.call('GET', `/Users/${body.id}?${query}`)).body).toSorted()
  expect(await keys('attributes=USERNAME,emails.value')).toEqual(['emails', 'id', 'schemas', 'userName'])
  expect((await hr.call('GET', `/Users/${body.id}?attributes=emails.value`)).body.emails).toEqual([
    { value: 'e150@example.edu' },
  ])
  const extension = encodeURIComponent(`${ENTERPRISE}:department`)
  expect(await keys(`attributes=${extension}`)).toEqual(['id', 'schemas', ENTERPRISE])
  const without = await keys('excludedAttributes=emails,id,meta,groups')
  expect(without).toContain('id')
  expect(without).not.toContain('emails')
  expect(without).not.toContain('meta')
})
