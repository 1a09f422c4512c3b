/**
 * The floor of OpenID Connect: a bare oidc-provider on `node:http`, which keeps codes and tokens in an embedded database
 * in as few statements as possible; the same flows and algorithms, without passwords, gate and records. In memory alone
 * nothing would outlive a restart or be shared by two nodes. Started by `npm run bench -- --floor`.
 */
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { startFloorDatabase } from './floor-database.ts'
import { bitsOfRandomness, createFloorStorage } from './oidc.floor-adapter.ts'
import { type Alg, clientIdFor } from './oidc.ts'
import { CLIENT } from './site.ts'

const port = Number(process.env['PORT'])
const { sql, stop } = await startFloorDatabase()
const storage = await createFloorStorage(sql)

const clientOf = (alg: Alg) => ({
  client_id: clientIdFor(alg),
  client_secret: CLIENT.secret,
  redirect_uris: [CLIENT.redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: 'openid profile',
  id_token_signed_response_alg: alg,
})

async function keyOf(alg: Alg) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig' }
}

/** Everyone has consented to everything, as in the product's own applications. */
async function grantFor({ oidc }: KoaContextWithOIDC) {
  const { session, client, account } = oidc
  const known = client && session?.grantIdFor(client.clientId)
  if (known) return await provider.Grant.find(known)
  const grant = new provider.Grant({ accountId: account?.accountId ?? '', clientId: client?.clientId ?? '' })
  grant.addOIDCScope('openid profile')
  await grant.save()
  return grant
}

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: storage.adapter,
  formats: { bitsOfOpaqueRandomness: bitsOfRandomness },
  clients: [clientOf('RS256'), clientOf('ES256')],
  jwks: { keys: [await keyOf('RS256'), await keyOf('ES256')] as never },
  cookies: { keys: ['bench'] },
  routes: { authorization: '/authorize', userinfo: '/userinfo', introspection: '/introspect' },
  scopes: ['openid', 'profile'],
  claims: { openid: ['sub'], profile: ['name'] },
  findAccount: (_koa, accountId) => ({ accountId, claims: async () => ({ sub: accountId, name: accountId }) }),
  loadExistingGrant: grantFor,
  issueRefreshToken: (_koa, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: { enabled: false },
  },
  // Everyone is logged in under the name in the hint.
  interactions: { url: (_koa, { uid }) => `/interaction/${uid}` },
})

provider.use(storage.middleware as never)
const answer = provider.callback()
const server = createServer(async (request, response) => {
  if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
  const { params } = await provider.interactionDetails(request, response)
  await provider.interactionFinished(request, response, { login: { accountId: String(params['login_hint']) } })
})
server.listen(port, '127.0.0.1')

process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await stop()
})
