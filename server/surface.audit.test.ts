import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { AUDITED_BY_ADMINISTRATORS, AUDITED_ELSEWHERE } from './testing/audited-by-administrators.ts'
import { AUDITED_CALLS, freshWorld, UNCHANGING } from './testing/audited-calls.ts'
import { LANGUAGE_CALLS } from './testing/audited-languages.ts'
import { APPEARANCE_CALLS, POLICY_CALLS } from './testing/audited-policies.ts'
import type { Audited } from './testing/audited-resource.ts'
import { type Institution, openInstitution } from './testing/departments.ts'
import { startTestServer } from './testing/server.ts'

let place: Institution
beforeAll(async () => {
  place = await openInstitution(await startTestServer())
})
afterAll(() => place.server.close())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const DESCRIBED: Readonly<Record<string, Audited>> = {
  ...AUDITED_CALLS,
  ...AUDITED_BY_ADMINISTRATORS,
  ...LANGUAGE_CALLS,
  ...POLICY_CALLS,
  ...APPEARANCE_CALLS,
}

test('every changing call of the back office is described for this test, and no other', () => {
  const changing = place.server.app.surface.endpoints.filter(
    ({ method, access }) => method === 'POST' && (access === 'superUser' || access.startsWith('administrator')),
  )
  const known = [...Object.keys(DESCRIBED), ...UNCHANGING, ...AUDITED_ELSEWHERE]
  expect(known.toSorted()).toEqual(changing.map(nameOf).toSorted())
})

type Line = { before: unknown; after: unknown; action: string; actor: string | null; reason: string | null; ip: string }

/** The audit records of this person since then. */
const linesSince = (since: string) => place.server.platform.sql<Line[]>`
  select before, after, action, actor_id as actor, reason, host(ip) as ip from audit_records
  where id > ${since} and actor_id = ${place.root.user.userId}`

const newest = async () => {
  const [row] = await place.server.platform.sql<{ id: string }[]>`select max(id::text) as id from audit_records`
  return row?.id ?? '00000000-0000-0000-0000-000000000000'
}

const fits: Record<Audited['leaves'], (line: Line) => boolean> = {
  before: ({ before }) => before !== null,
  after: ({ after }) => after !== null,
  both: ({ before, after }) => before !== null && after !== null,
  neither: ({ before, after }) => before === null && after === null,
  nothing: () => false,
}
const SECRET = /a-secret|password|"hash"|\$argon2/i

test.each(Object.entries(DESCRIBED))(
  '%s leaves an audit record with who, from where, and the state before and after',
  async (name, { ask, leaves }) => {
    const world = await freshWorld(place)
    const { path = {}, body } = await ask(world)
    const since = await newest()
    const filled = name.replace(/^POST /, '').replace(/\{(\w+)\}/g, (_, key: string) => path[key] ?? '')
    const answer = await place.root.call(filled, { body: body ?? {} })
    expect([answer.status, answer.envelope.code ?? answer.data]).toEqual([200, answer.data])
    const lines = await linesSince(since)
    if (leaves === 'nothing') return expect(lines).toEqual([])
    expect(lines.filter(fits[leaves]).map(({ action }) => action)).not.toEqual([])
    for (const { ip } of lines) expect(ip).toBe('127.0.0.1')
    const told = JSON.stringify(lines.map(({ before, after }) => [before, after]))
    // Masked values, and the name of an SFTP login method.
    expect(told.replaceAll(/"password":"\*{6}"|"sftpAuth":"password"/g, '')).not.toMatch(SECRET)
  },
)

test('no call changes or deletes records', () => {
  const tampering = place.server.app.surface.endpoints.filter(
    ({ method, path }) => method === 'POST' && /audit|\brecords?\b.*(update|delete|remove)/.test(path),
  )
  expect(tampering.map(nameOf)).toEqual([])
})
