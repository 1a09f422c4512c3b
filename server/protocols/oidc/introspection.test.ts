import { expect, test } from 'vitest'
import { addPerson, changeApplication, logIn } from '../../testing/people.ts'
import {
  addClient,
  type Client,
  introspect,
  OIDC,
  obtainTokens,
  post,
  type Tokens,
  token,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const INACTIVE = { active: false }

/** Tokens of "lms": a person's, and its own. */
async function tokensOfLms(server: TestServer): Promise<{ lms: Client; person: Tokens; own: Tokens }> {
  await addPerson(server, { account: 'lilei' })
  const grantTypes = ['authorization_code' as const, 'refresh_token' as const, 'client_credentials' as const]
  const lms = await addClient(server, { appId: 'lms', grantTypes })
  const person = await obtainTokens(await logIn(server, 'lilei'), lms)
  return { lms, person, own: (await token(lms, { grant_type: 'client_credentials' })).body }
}

const told = async (client: Client, value: string | undefined, fields = {}) =>
  (await post(client, `${OIDC}/introspect`, { token: value, ...fields })).body

test('a refresh token is known to its own application alone: no other can pass it for an access token', async () => {
  const server = await testServer()
  const { lms, person } = await tokensOfLms(server)
  const api = await addClient(server, { appId: 'api', resourceServer: true })
  const other = await addClient(server, { appId: 'other' })
  for (const hint of [{}, { token_type_hint: 'refresh_token' }, { token_type_hint: 'access_token' }]) {
    expect(await told(api, person.refresh_token, hint)).toEqual(INACTIVE)
    expect(await told(other, person.refresh_token, hint)).toEqual(INACTIVE)
  }
  expect(await told(lms, person.refresh_token)).toMatchObject({ active: true, client_id: 'lms', sub: 'lilei' })
})

test('only its own application can introspect a refresh token: no other can take it for an access token', async () => {
  const server = await testServer()
  const { lms, person, own } = await tokensOfLms(server)
  const api = await addClient(server, { appId: 'api', resourceServer: true })
  const other = await addClient(server, { appId: 'other' })
  for (const { access_token } of [person, own]) {
    for (const client of [lms, api]) {
      expect(await told(client, access_token)).toMatchObject({ active: true, client_id: 'lms' })
    }
    expect(await told(other, access_token)).toEqual(INACTIVE)
  }
  await changeApplication(server, 'api', { resource_server: false })
  expect(await told(api, person.access_token)).toEqual(INACTIVE)
})

test('an application without a secret is no resource server, however it is registered', async () => {
  const server = await testServer()
  const { person } = await tokensOfLms(server)
  const open = await addClient(server, { appId: 'open', clientSecret: null, resourceServer: true })
  expect((await introspect(open, person.access_token)).body).toEqual(INACTIVE)
})
