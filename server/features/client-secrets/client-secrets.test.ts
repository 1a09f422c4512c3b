import { expect, test } from 'vitest'
import { systemContext } from '../../platform/platform.ts'
import { addClient, post } from '../../testing/relying-party.ts'
import { testServer } from '../../testing/server.ts'
import { rotateClientSecret } from './index.ts'

const asItself = (client: Parameters<typeof post>[0]) =>
  post<{ error?: string }>(client, '/fwk_cas_service/oidc/token', { grant_type: 'client_credentials' })

test('a new client secret works on every node at once, the old one no longer, and nobody can read it again', async () => {
  const server = await testServer()
  const second = await server.secondNode()
  const old = await addClient(server, { appId: 'lms', grantTypes: ['client_credentials'] })
  expect((await asItself({ ...old, server: second })).status).toBe(200)
  const secret = await rotateClientSecret(systemContext(server.platform), 'lms', { actor: 'command line' })
  const fresh = { ...old, secret }
  for (const node of [server, second]) {
    await expect.poll(async () => (await asItself({ ...old, server: node })).status, { timeout: 1000 }).toBe(401)
    expect((await asItself({ ...fresh, server: node })).status).toBe(200)
  }
  const [row] = await server.platform.sql<{ text: string }[]>`
    select (select string_agg(to_jsonb(a)::text, '') from applications a)
      || (select string_agg(to_jsonb(r)::text, '') from audit_records r) as text`
  expect(row?.text).not.toContain(secret)
  expect(row?.text).toContain('client-secret.rotate')
  expect(await rotateClientSecret(systemContext(server.platform), 'nobody')).toBeNull()
})
