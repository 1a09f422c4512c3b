import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { databasePrint } from './testing/database-print.ts'
import { addPart, type Institution, openInstitution, type Part, unknownPart } from './testing/departments.ts'
import { addCasApplication } from './testing/people.ts'
import { insertAppointment, openPortal } from './testing/portal.ts'
import { type Ask, SCOPE_CALLS } from './testing/scope-calls.ts'
import { startTestServer } from './testing/server.ts'
import { signedFetch } from './testing/signed.ts'

let place: Institution
let applicationId: string
beforeAll(async () => {
  const server = await startTestServer()
  applicationId = await addCasApplication(server, { appId: 'library', type: 'system' })
  place = await openInstitution(server)
})
afterAll(() => place.server.close())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const scoped = () => place.server.app.surface.endpoints.filter(({ access }) => access.startsWith('administrator'))
const described = (endpoint: Endpoint) =>
  (SCOPE_CALLS[nameOf(endpoint)]?.asks ?? []).map(
    (ask) =>
      (part: Part, own: Part): Ask =>
        ask(part, own, applicationId),
  )

type Answer = { status: number; text: string }

/** Calls as the dean; removes what differs between any two calls from the answer. */
async function call({ method, path }: Endpoint, { path: values = {}, query = {}, body }: Ask): Promise<Answer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const { dean, server } = place
  const answer = await signedFetch(server, `${filled}?${new URLSearchParams(query)}`, {
    method,
    token: dean.token,
    cookie: dean.browser.cookieHeader('/auth_service/'),
    ...(method === 'POST' && { body: body ?? {} }),
  })
  const text = await answer.text()
  return { status: answer.status, text: text.replace(/,?"requestId":"\w+"/, '') }
}

/** The answer without the ids that the request contained. */
function without({ status, text }: Answer, part: Part): Answer {
  let bare = text
  for (const [kind, id] of Object.entries(part)) bare = bare.replaceAll(id, `<${kind}>`)
  return { status, text: bare }
}

const HUSH = ['hush', 'HUSH']
function leaks(text: string, parts: readonly Part[]): string[] {
  const ids = parts.flatMap((part) => Object.values(part))
  return [...HUSH, ...ids].filter((secret) => text.includes(secret))
}

const MAY_CHANGE = [
  'ephemeral_state',
  'audit_records',
  'login_records',
  'visit_records',
  'replay_marks',
  'sso_sessions',
]
const print = async () => await databasePrint(place.server.platform.sql, [...MAY_CHANGE, 'portal_sessions'])

test('every call for scoped administrators is described for these tests, and no other', () => {
  expect(Object.keys(SCOPE_CALLS).toSorted()).toEqual(scoped().map(nameOf).toSorted())
})

/** The code of an error, its status if it has none; null for success. */
function refusalIn({ status, text }: Answer): string | number | null {
  if (status < 400) return null
  return text.startsWith('{') ? ((JSON.parse(text) as { code?: string }).code ?? status) : status
}

test('about their own part administrators get answers: the descriptions are correct', async () => {
  const dean = place.dean.user.userId
  const wrong: unknown[] = []
  for (const endpoint of scoped()) {
    const expected = SCOPE_CALLS[nameOf(endpoint)]?.refusedWith ?? null
    for (const ask of described(endpoint)) {
      const own = await addPart(place.server, { word: 'ours', under: place.inside.organization, owner: dean })
      const answer = await call(endpoint, ask(own, own))
      const refusal = refusalIn(answer)
      if (refusal !== expected) wrong.push([nameOf(endpoint), refusal, answer.text.slice(0, 300)])
    }
  }
  expect(wrong).toEqual([])
})

test('no reading call reveals anything about another part: no id, no name, no number', async () => {
  const { server, inside, beside, above } = place
  const strangers = [beside, above]
  const readings = scoped().filter(({ method }) => method === 'GET')
  const wrong: unknown[] = []
  const look = async () => {
    const answers: string[] = []
    for (const endpoint of readings) {
      for (const ask of described(endpoint)) {
        const { text } = await call(endpoint, ask(inside, inside))
        const told = leaks(text, strangers)
        if (told.length > 0) wrong.push([nameOf(endpoint), told, text.slice(0, 600)])
        answers.push(`${nameOf(endpoint)} ${text}`)
      }
    }
    return answers
  }
  const before = await look()
  const [owner] = await server.platform.sql<{ id: string }[]>`select id from users where account = 'hush-other-dean'`
  strangers.push(await addPart(server, { word: 'hushlater', under: beside.organization, owner: owner?.id ?? '' }))
  strangers.push(await addPart(server, { word: 'hushtop', under: null, owner: owner?.id ?? '' }))
  expect(await look()).toEqual(before)
  expect(wrong).toEqual([])
})

test('another part looks to an administrator as if it did not exist: same answers, and nothing changes', async () => {
  const { inside, beside, above } = place
  const wrong: unknown[] = []
  const before = await print()
  for (const endpoint of scoped()) {
    for (const ask of described(endpoint)) {
      const nothing = unknownPart()
      const missing = without(await call(endpoint, ask(nothing, inside)), nothing)
      for (const part of [beside, above]) {
        const answer = await call(endpoint, ask(part, inside))
        const bare = without(answer, part)
        const isSame = bare.status === missing.status && bare.text === missing.text
        if (!isSame || leaks(bare.text, [beside, above]).length > 0) wrong.push([nameOf(endpoint), bare, missing])
      }
    }
  }
  expect(wrong).toEqual([])
  expect(await print()).toEqual(before)
})

test('only a super user can change a super user, another administrator or themselves', async () => {
  const { server, dean, inside } = place
  const { sql } = server.platform
  const word = { word: 'ours', under: inside.organization, owner: dean.user.userId }
  const [chief, fellow, self] = [await addPart(server, word), await addPart(server, word), await addPart(server, word)]
  await sql`update users set is_super_user = true where id = ${chief.person}`
  await sql`
    insert into appointments (id, user_id, organization_id, permissions, created_at, updated_at)
    values (gen_random_uuid(), ${fellow.person}, ${fellow.organization}, '{}', now(), now())`
  await sql`update users set organization_id = ${inside.organization} where id = ${dean.user.userId}`
  const protectedParts = [chief, fellow, { ...self, person: dean.user.userId }]
  const before = await print()
  const onPeople = scoped().filter(
    ({ path, method }) => method === 'POST' && /user_information|grant/.test(path) && !path.includes('/import/'),
  )
  for (const endpoint of onPeople) {
    const [ask] = described(endpoint)
    if (!ask || endpoint.path.endsWith('/create/')) continue
    for (const part of protectedParts) await call(endpoint, ask(part, inside))
  }
  expect(await print()).toEqual(before)
})

test('a permission counts where it was given, not everywhere its holder administers something', async () => {
  const { server, dean, inside } = place
  const owner = await openPortal(server, { account: 'hush-third-dean' })
  const looked = await addPart(server, { word: 'looked', under: null, owner: owner.user.userId })
  await insertAppointment(server, dean.user.userId, { permissions: [], administers: looked.organization })
  const before = await print()
  const answered: unknown[] = []
  for (const endpoint of scoped()) {
    for (const ask of described(endpoint)) {
      const answer = await call(endpoint, ask(looked, inside))
      const isReading = endpoint.access === 'administrator' && endpoint.method === 'GET'
      const ofTheirs = JSON.stringify(ask(looked, inside)).includes(looked.person)
      if (isReading && ofTheirs && refusalIn(answer) !== null) answered.push([nameOf(endpoint), answer])
    }
  }
  // These may be viewed.
  expect(answered).toEqual([])
  expect(await print()).toEqual(before)
})
