import { expect, test } from 'vitest'
import { randomToken } from '../../platform/crypto.ts'
import { callWithKey, openClient } from '../../testing/open-api.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const PERSON = '/open_api/person/?account=nobody'

async function startCalls() {
  const sent: string[] = []
  const server = await testServer({ onStatement: (text) => sent.push(text.replace(/\s+/g, ' ').trim()) })
  const admin = await openPortal(server, { isSuperUser: true })
  const withKeys = async (appId: string, keys: number) => {
    const id = await addCasApplication(server, { appId })
    if (keys === 0) return { appId, appKey: '' }
    const client = await openClient(admin, id, ['person.read'])
    if (keys > 1) await admin.call(`/application_key/${id}/create/`, { body: { keepHours: 24 } })
    return client
  }
  const known = [await withKeys('library', 1), await withKeys('mail', 2), await withKeys('wiki', 0)]
  return { server, sent, known }
}

/** Recording a rejected call, and probing the database, are not part of the answer. */
const isUnrelated = (statement: string) =>
  statement.startsWith('insert into api_call_records') || statement === 'select 1'

test('a wrong key costs the same work as an unknown name, however many keys there are', async () => {
  const { server, sent, known } = await startCalls()
  const { secrets } = server.platform
  const open = secrets.open
  let opened = 0
  secrets.open = (sealed) => {
    opened += 1
    return open(sealed)
  }
  const workFor = async (appId: string) => {
    sent.length = 0
    opened = 0
    const answer = await callWithKey(server, { appId, appKey: randomToken(40) }, PERSON)
    return { status: answer.status, code: answer.code, opened, statements: sent.filter((one) => !isUnrelated(one)) }
  }
  const strange = await workFor('nobody')
  expect(strange).toMatchObject({ status: 403, code: 'request.bad-signature', opened: 2 })
  expect(strange.statements).not.toEqual([])
  for (const { appId } of known) expect([appId, await workFor(appId)]).toEqual([appId, strange])
})

test('a rejected call is answered before anything is recorded about it', async () => {
  const { server, known } = await startCalls()
  const { sql } = server.platform
  const [library] = known
  const wrong = { appId: library?.appId ?? '', appKey: randomToken(40) }
  await sql.begin(async (tx) => {
    await tx`lock table api_call_records in access exclusive mode`
    expect((await callWithKey(server, wrong, PERSON)).code).toBe('request.bad-signature')
  })
  await expect.poll(async () => (await sql`select 1 from api_call_records`).length).toBe(1)
})
