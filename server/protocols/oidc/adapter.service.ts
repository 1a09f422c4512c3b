import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Platform } from '../../platform/platform.ts'
import { deviceCodeAdapter, interactionAdapter, pushedRequestAdapter } from './artifacts.service.ts'
import { findClientMetadata } from './clients.service.ts'
import { codeAdapter } from './codes.service.ts'
import { currentRequest } from './oidc-request.service.ts'
import { accessTokenAdapter, clientTokenAdapter, refreshTokenAdapter } from './tokens.service.ts'

const doNothing = async () => undefined

/** An adapter that stores nothing, overridden by what one kind of artefact does. */
export const adapterWith = (own: Partial<Adapter>): Adapter => ({
  upsert: doNothing,
  find: doNothing,
  findByUserCode: doNothing,
  findByUid: doNothing,
  consume: doNothing,
  destroy: doNothing,
  revokeByGrantId: doNothing,
  ...own,
})

/** How oidc-provider reads and writes each kind of artefact. Sessions are ours, and a grant is part of its tokens. */
export const createAdapter =
  (platform: Platform) =>
  (name: string): Adapter => {
    switch (name) {
      case 'Client':
        return adapterWith({
          find: async (id) => (await findClientMetadata(platform, id)) as AdapterPayload | undefined,
        })
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

const GRANT_SECONDS = 24 * 3600

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
    exp: iat + GRANT_SECONDS,
  } as AdapterPayload
}
