import { expect, test } from 'vitest'
import { addPerson, logIn } from '../../testing/people.ts'
import { addClient, obtainTokens, refresh } from '../../testing/relying-party.ts'
import { testServer } from '../../testing/server.ts'

const DAY = 24 * 3600

test('constant refreshing does not make a family of tokens live longer than 14 days', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms' })
  const tokens = await obtainTokens(await logIn(server, 'lilei'), client)
  const { sql } = server.platform
  /** As if the first token of the family had been issued that long ago. */
  const age = (seconds: number) => {
    const issued = Math.floor(Date.now() / 1000) - seconds
    return sql`update oidc_refresh_tokens set value = jsonb_set(value, '{iiat}', to_jsonb(${issued}::int))`
  }
  await age(14 * DAY - 100)
  const { body } = await refresh(client, tokens.refresh_token)
  const [last] = await sql<{ seconds: number }[]>`
    select extract(epoch from expires_at - now())::int as seconds from oidc_refresh_tokens where consumed_at is null`
  expect(last?.seconds).toBeGreaterThan(0)
  expect(last?.seconds).toBeLessThanOrEqual(100)
  server.advance(101)
  expect((await refresh(client, body.refresh_token)).body.error).toBe('invalid_grant')
})

test('a refresh can narrow the scope, and never widen it', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms' })
  const tokens = await obtainTokens(await logIn(server, 'lilei'), client, { scope: 'openid profile' })
  const wider = await refresh(client, tokens.refresh_token, { scope: 'openid profile email' })
  expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope'])
  const narrower = await refresh(client, tokens.refresh_token, { scope: 'openid' })
  expect([narrower.status, narrower.body.scope]).toEqual([200, 'openid'])
})
