import assert from 'node:assert/strict'
import { Pool } from 'undici'
import { asked, createVisitor, enterPortal } from '../../bench/client.ts'
import { PASSWORD, SUPER_USER } from './content.ts'
import type { Step } from './step.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a client looks at may be anything
type Resource = any
type Answer = { status: number; body: Resource }
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Installed by the run, so not before it. */
const packages = async (): Promise<Resource> => await import(new URL('npm-clients/scim.mjs', import.meta.url).href)
const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0'

/** A client with a token, created in the back office. */
async function openScim(sso: string): Promise<Call> {
  const pool = new Pool(sso, { connections: 1 })
  const visitor = createVisitor(pool, sso, SUPER_USER)
  await visitor.post('/fwk_cas_service/login', { username: SUPER_USER, password: PASSWORD })
  await enterPortal(visitor, sso)
  const scopes = ['users.write', 'roles.write']
  const client = await asked<{ id: string }>(visitor, '/scim_client/create/', {}, { name: 'Clients', scopes })
  const { token } = await asked<{ token: string }>(visitor, `/scim_client/${client.id}/token/`, {}, {})
  await pool.close()
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const answer = await fetch(`${sso}/scim/v2${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
}

const person = (userName: string, more: object = {}) => ({
  schemas: [`${SCHEMAS}:User`],
  ...{ userName, displayName: `Name of ${userName}`, externalId: `ext-${userName}`, active: true },
  emails: [{ value: `${userName}@example.edu`, type: 'work', primary: true }],
  ...more,
})

/** What a client keeps of a user. */
const kept = ({ userName, displayName, nickName, active, externalId, emails = [], phoneNumbers = [] }: Resource) => ({
  ...{ userName, displayName, nickName, active, externalId, emails, phoneNumbers },
})

const PATCHES: readonly object[] = [
  { op: 'replace', value: { active: false } },
  { op: 'Replace', path: 'active', value: true },
  { op: 'add', path: 'nickName', value: 'Nick' },
  { op: 'replace', value: { displayName: 'Other', nickName: 'Nock' } },
  { op: 'remove', path: 'nickName' },
  { op: 'replace', path: 'emails[type eq "work"].value', value: 'other@example.edu' },
  { op: 'remove', path: 'emails[type eq "work"]' },
  { op: 'add', path: 'emails', value: [{ value: 'third@example.edu', type: 'work', primary: true }] },
  { op: 'replace', path: 'externalId', value: 'ext-other' },
  { op: 'add', path: 'phoneNumbers', value: [{ value: '+8613800007777', type: 'mobile', primary: true }] },
  { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+8613800008888' },
  { op: 'remove', path: 'phoneNumbers' },
]

const FILTERS = [
  'userName eq "f3"',
  'userName sw "f1"',
  'displayName co "2"',
  'displayName ne "Name 1"',
  'nickName pr',
  'not (nickName pr)',
  'active eq false and nickName pr',
  'displayName eq "Name 1" or displayName eq "Name 2"',
  'emails[type eq "work" and value ew "1@example.edu"]',
  '(active eq true) and not (displayName sw "Name 0")',
  'externalId eq "ext-f4"',
  'meta.created gt "2020-01-01T00:00:00Z"',
]

/** SCIM packages as clients use them: what they make of a resource is what the server made of it. */
export function scimSteps(sso: string, step: Step): void {
  let opened: Promise<Call> | undefined
  const open = () => {
    opened ??= openScim(sso)
    return opened
  }
  step('SCIM, scim-patch: each PATCH leaves the user that the package makes of it', async () => {
    const { scimPatch } = await packages()
    const call = await open()
    let { body: user } = await call('POST', '/Users', person('p1'))
    for (const operation of PATCHES) {
      const expected = scimPatch(user, [operation], { mutateDocument: false })
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] }
      const answer = await call('PATCH', `/Users/${user.id}`, body)
      assert.deepEqual(kept(answer.body), kept(expected), JSON.stringify(operation))
      user = answer.body
    }
  })
  step('SCIM, scim2-parse-filter: each filter finds the users that the package finds', async () => {
    const { filter, parse } = await packages()
    const call = await open()
    for (let at = 0; at < 12; at++) {
      const more = { displayName: `Name ${at % 4}`, active: at % 3 > 0, ...(at % 2 && { nickName: `Nick ${at}` }) }
      assert.equal((await call('POST', '/Users', person(`f${at}`, more))).status, 201)
    }
    const names = (users: Resource[]) => users.map(({ userName }) => userName).toSorted()
    const everybody: Resource[] = (await call('GET', '/Users?count=200')).body.Resources
    for (const text of FILTERS) {
      const { body } = await call('GET', `/Users?count=200&filter=${encodeURIComponent(text)}`)
      assert.deepEqual(names(body.Resources), names(everybody.filter(filter(parse(text)))), text)
    }
  })
  step('SCIM, SCIMMY: lists, users, groups and resource types are what its schemas take', async () => {
    const { SCIMMY } = await packages()
    SCIMMY.Schemas.User.extend(SCIMMY.Schemas.EnterpriseUser)
    const call = await open()
    const { body: list } = await call('GET', '/Users?count=5&startIndex=2')
    assert.equal(new SCIMMY.Messages.ListResponse(list).startIndex, 2)
    for (const user of list.Resources) assert.equal(new SCIMMY.Schemas.User(user, 'out').userName, user.userName)
    // The last one: among the first is the super user, who is nobody's to change.
    const members = [{ value: list.Resources.at(-1).id }]
    const { body: group } = await call('POST', '/Groups', {
      ...{ schemas: [`${SCHEMAS}:Group`], displayName: 'Readers', members },
    })
    assert.equal(new SCIMMY.Schemas.Group(group, 'out').members[0].value, members[0]?.value)
    const { body: types } = await call('GET', '/ResourceTypes')
    for (const type of types.Resources) assert.ok(new SCIMMY.Schemas.ResourceType(type, 'out').endpoint)
  })
}
