import type { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { codeParameters } from '#shared/rules/oauth2-requests.ts'
import { probePage } from '../call-provider.service.ts'
import {
  type AuthorizationAttempt,
  type ConnectionCheck,
  type ConnectorContext,
  ConnectorFault,
  UnclearAnswer,
} from '../connector.types.ts'
import { type Endpoints, loadEndpoints } from './provider-metadata.service.ts'
import { requestToken } from './token-request.service.ts'

/** An invented code, of a length that no platform would take for its own. */
const MADE_UP = 'gatehousecheck'
const ATTEMPT = { state: MADE_UP.repeat(2), nonce: MADE_UP, codeVerifier: MADE_UP.repeat(4), inApp: false }
/** Standard errors about the application rather than the code. */
const ABOUT_THE_APPLICATION = ['invalid_client', 'unauthorized_client', '401']

type AuthorizeUrl = (settings: OAuth2Settings, addresses: Endpoints, attempt: AuthorizationAttempt) => string

/** What can be tested without a person. */
export const checksOf = (
  context: ConnectorContext,
  settings: OAuth2Settings,
  authorizeUrl: AuthorizeUrl,
): ConnectionCheck[] => [
  ...(settings.discoveryUrl
    ? [{ step: 'addresses' as const, run: async () => void (await loadEndpoints(context, settings)) }]
    : []),
  { step: 'secret', run: (redirectUri) => trySecret(context, settings, redirectUri) },
  {
    step: 'callback',
    async run(redirectUri) {
      const url = authorizeUrl(settings, await loadEndpoints(context, settings), { ...ATTEMPT, redirectUri })
      const status = await probePage(context, 'authorize', url)
      if (status >= 500) throw new ConnectorFault('unavailable', `authorize ${status}`, String(status))
      if (status >= 400) throw new ConnectorFault('misconfigured', `authorize ${status}`, `authorize-${status}`)
    },
  },
]

/** Fetching the application's own token proves the secret; otherwise a made-up code is redeemed, and only the code may be rejected. */
async function trySecret(context: ConnectorContext, settings: OAuth2Settings, redirectUri: string): Promise<void> {
  const { tokenUrl } = await loadEndpoints(context, settings)
  const isApp = settings.token.of === 'app'
  const given = { code: MADE_UP, redirectUri, codeVerifier: ATTEMPT.codeVerifier }
  try {
    await requestToken(context, settings, { tokenUrl, parameters: isApp ? {} : codeParameters(settings, given) })
  } catch (error) {
    return requireInnocent(error, isApp)
  }
  if (!isApp) throw new ConnectorFault('unusable', 'token: made-up value accepted')
}

/** Is the rejection about the made-up code only? */
function requireInnocent(error: unknown, isApp: boolean): void {
  if (!(error instanceof ConnectorFault) || error.reason !== 'refused') throw error
  const { detail, vendorCode } = error
  if (!isApp && vendorCode === 'invalid_grant') return
  if (isApp || ABOUT_THE_APPLICATION.includes(vendorCode ?? '')) {
    throw new ConnectorFault('misconfigured', detail, vendorCode)
  }
  throw new UnclearAnswer('refused', detail, vendorCode)
}
