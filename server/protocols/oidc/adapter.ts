import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Platform } from '../../platform/platform.ts'
import { clientMetadata } from './clients.ts'
import { codeAdapter } from './codes.ts'
import { deviceCodeAdapter, interactionAdapter, pushedRequestAdapter } from './hot-artefacts.ts'
import { currentRequest } from './oidc-request.ts'
import { accessTokenAdapter, clientTokenAdapter, refreshTokenAdapter } from './tokens.ts'

const nothing = async () => undefined

/** An adapter that stores nothing, with what a kind of artefact does differently. */
export const adapterWith = (own: Partial<Adapter>): Adapter => ({
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
  ...own,
})

/** How oidc-provider reads and writes each kind of artefact. Sessions are ours, and a grant travels with its tokens. */
export const createAdapter =
  (platform: Platform) =>
  (name: string): Adapter => {
    switch (name) {
      case 'Client':
        return adapterWith({ find: async (id) => (await clientMetadata(platform, id)) as AdapterPayload | undefined })
      case 'Grant':
        return adapterWith({ find: findGrant })
      case 'AuthorizationCode':
        return adapterWith(codeAdapter)
      case 'AccessToken':
        return adapterWith(accessTokenAdapter)
      case 'RefreshToken':
        return adapterWith(refreshTokenAdapter)
      case 'ClientCredentials':
        return adapterWith(clientTokenAdapter)
      case 'Interaction':
        return adapterWith(interactionAdapter)
      case 'PushedAuthorizationRequest':
        return adapterWith(pushedRequestAdapter)
      case 'DeviceCode':
        return adapterWith(deviceCodeAdapter)
      default:
        return adapterWith({})
    }
  }

const FAR_SECONDS = 24 * 3600

async function findGrant(id: string): Promise<AdapterPayload | undefined> {
  const grant = currentRequest().grants.get(id)
  if (!grant) return undefined
  const iat = Math.floor(Date.now() / 1000)
  return {
    kind: 'Grant',
    jti: id,
    accountId: grant.accountId,
    clientId: grant.clientId,
    openid: { scope: grant.scope, claims: grant.claims },
    iat,
    exp: iat + FAR_SECONDS,
  } as AdapterPayload
}
