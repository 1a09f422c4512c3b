import type { Client, ClientMetadata } from 'oidc-provider'
import { type Application, findApplicationByClientId } from '../../features/applications/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { currentRequest } from './oidc-request.service.ts'
import { responseTypesOf } from './weak-grants.service.ts'

/** The provider requires a confidential client to have a secret; ours are hashes, compared elsewhere. Nobody knows this one. */
const PLACEHOLDER_SECRET = randomToken(43)

const metadataCache = new WeakMap<Application, ClientMetadata>()

/** An application as the provider's client; undefined if it is unknown or disabled. */
export async function findClientMetadata(platform: Platform, clientId: string): Promise<ClientMetadata | undefined> {
  const application = await findApplicationByClientId(platform, clientId)
  if (!application?.client || !application.enabled) return undefined
  const before = metadataCache.get(application)
  if (before) return before
  const metadata = toClientMetadata(application, application.client)
  metadataCache.set(application, metadata)
  return metadata
}

function toClientMetadata(application: Application, client: NonNullable<Application['client']>): ClientMetadata {
  return {
    client_id: client.clientId,
    client_name: application.name,
    ...(client.secretHash
      ? { client_secret: PLACEHOLDER_SECRET, token_endpoint_auth_method: 'client_secret_basic' }
      : { token_endpoint_auth_method: 'none' }),
    application_type: 'web',
    grant_types: client.grantTypes,
    response_types: responseTypesOf(client) as never,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    id_token_signed_response_alg: client.idTokenAlg,
    subject_type: 'public',
    ...(client.backchannelLogoutUri && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
  }
}

/** The scopes that an application may request. */
export const allowedScopes = ({ client }: Application): Set<string> => new Set(['openid', ...(client?.scopes ?? [])])

/**
 * May this client introspect this token (RFC 7662, 2.1)? Its own ones, and access tokens of others if it is registered as a resource
 * server. A refresh token is for its own client only: whoever is told that one is active might accept it as a bearer token.
 */
export async function mayIntrospect(
  client: Client,
  token: { clientId?: string | undefined; kind: string },
): Promise<boolean> {
  if (token.clientId === client.clientId) return true
  if (token.kind === 'RefreshToken' || client.clientAuthMethod === 'none') return false
  const application = await findApplicationByClientId(currentRequest().ctx, client.clientId)
  return application?.client?.resourceServer ?? false
}
