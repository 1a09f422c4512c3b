import { createHash } from 'node:crypto'
import { type Attempt, type Connector, ConnectorFault, type Outside } from '../connector.ts'
import { OAuth2Settings } from './oauth2.settings.ts'
import { type Addresses, addressesOf } from './provider-metadata.ts'
import { named, withParameters } from './token-call.ts'
import { whoIsIt } from './who-is-it.ts'

/** OAuth 2.0 and OpenID Connect with everything configurable, for the systems that nearly speak it as well. */
export const oauth2: Connector = {
  settings: OAuth2Settings,
  secrets: ['clientSecret'],
  open(outside, stored) {
    const settings = OAuth2Settings.parse(stored)
    return {
      async authorizeUrl(attempt) {
        return authorizeUrl(settings, await addressesOf(outside, settings), attempt)
      },
      exchange: (attempt, returned) => exchange(outside, settings, attempt, returned),
    }
  },
}

function authorizeUrl(settings: OAuth2Settings, addresses: Addresses, attempt: Attempt): string {
  const { names, clientId, scope, pkce, nonce, authorizeExtra } = settings
  const challenge = createHash('sha256').update(attempt.codeVerifier).digest('base64url')
  const isOpenId = addresses.idToken !== null
  return withParameters(addresses.authorizeUrl, {
    ...named([
      [names.clientId, clientId],
      [names.responseType, 'code'],
      [names.redirectUri, attempt.redirectUri],
      [names.scope, scope || (isOpenId ? 'openid' : undefined)],
      ['state', attempt.state],
      ['nonce', isOpenId && nonce ? attempt.nonce : undefined],
      ['code_challenge', pkce ? challenge : undefined],
      ['code_challenge_method', pkce ? 'S256' : undefined],
    ]),
    ...authorizeExtra,
  })
}

/** The words for "the person said no", of the standard and of those who nearly follow it. */
const CANCELLED = /^(access_denied|user_cancelled?|user_denied|consent_required|login_required|interaction_required)$/i

async function exchange(
  outside: Outside,
  settings: OAuth2Settings,
  attempt: Attempt,
  returned: Readonly<Record<string, string>>,
) {
  const { error } = returned
  if (error !== undefined && CANCELLED.test(error)) throw new ConnectorFault('cancelled', 'authorize')
  if (error !== undefined) throw new ConnectorFault('refused', 'authorize')
  const code = returned[settings.names.returnedCode] ?? ''
  // Some answer a refusal with the state alone.
  if (code === '') throw new ConnectorFault('cancelled', 'authorize: no code')
  if (code.length > 2000) throw new ConnectorFault('unusable', 'authorize: code')
  const addresses = await addressesOf(outside, settings)
  // Mix-up: an answer of another issuer than the one that was asked (RFC 9207).
  const { iss } = returned
  if (iss !== undefined && addresses.idToken && iss !== addresses.idToken.issuer) {
    throw new ConnectorFault('unusable', 'authorize: issuer')
  }
  return await whoIsIt(outside, { settings, addresses, attempt, code })
}
