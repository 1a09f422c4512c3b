import { createHash } from 'node:crypto'
import { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { authorizeRequest } from '#shared/rules/oauth2-requests.ts'
import { type AuthorizationAttempt, type Connector, type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { fetchIdentity } from './identity.service.ts'
import { checksOf } from './oauth2-checks.service.ts'
import { type Endpoints, loadEndpoints } from './provider-metadata.service.ts'

/** OAuth 2.0 and OpenID Connect with everything configurable, also for systems that nearly speak it. */
export const oauth2: Connector = {
  settings: OAuth2Settings,
  secrets: ['clientSecret'],
  destination: ['clientId', 'discoveryUrl', 'authorizeUrl', 'tokenUrl', 'userUrl', 'origins'],
  open(outside, stored) {
    const settings = OAuth2Settings.parse(stored)
    return {
      host: new URL(settings.tokenUrl ?? settings.discoveryUrl ?? '').origin,
      checks: checksOf(outside, settings, buildAuthorizeUrl),
      async authorizeUrl(attempt) {
        return buildAuthorizeUrl(settings, await loadEndpoints(outside, settings), attempt)
      },
      exchange: (attempt, returned) => exchangeCode(outside, settings, attempt, returned),
    }
  },
}

function buildAuthorizeUrl(settings: OAuth2Settings, addresses: Endpoints, attempt: AuthorizationAttempt): string {
  const { redirectUri, state, nonce, codeVerifier } = attempt
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const given = { redirectUri, state, nonce, challenge, isOpenId: addresses.idToken !== null }
  return authorizeRequest(settings, addresses.authorizeUrl, given).url
}

/** The errors that mean that the person declined, in the standard and in near-standard dialects. */
const CANCELLED_ERRORS =
  /^(access_denied|user_cancelled?|user_denied|consent_required|login_required|interaction_required)$/i

async function exchangeCode(
  context: ConnectorContext,
  settings: OAuth2Settings,
  attempt: AuthorizationAttempt,
  returned: Readonly<Record<string, string>>,
) {
  const { error } = returned
  if (error !== undefined && CANCELLED_ERRORS.test(error)) throw new ConnectorFault('cancelled', 'authorize')
  if (error !== undefined) throw new ConnectorFault('refused', 'authorize')
  const code = returned[settings.names.returnedCode] ?? ''
  // Some answer a refusal with only the state.
  if (code === '') throw new ConnectorFault('cancelled', 'authorize: no code')
  if (code.length > 2000) throw new ConnectorFault('unusable', 'authorize: code')
  const addresses = await loadEndpoints(context, settings)
  // Mix-up attack: an answer from another issuer than the one requested (RFC 9207).
  const { iss } = returned
  if (iss !== undefined && addresses.idToken && iss !== addresses.idToken.issuer) {
    throw new ConnectorFault('unusable', 'authorize: issuer')
  }
  return await fetchIdentity(context, { settings, addresses, attempt, code })
}
