import type { AlimailSettings } from '#shared/contract/mailbox-settings.ts'
import { type AppToken, withAppToken } from '../app-token.service.ts'
import { callProvider } from '../call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { callVendor, type FaultCodes, isVendorCode, lifetimeOf, tokenKey } from '../vendor-call.service.ts'
import type { MailboxDriverOf } from './mailbox-driver.types.ts'

const CODES: FaultCodes = {
  unavailable: ['429'],
  misconfigured: ['401', '403', 'invalid_client', 'unauthorized_client'],
  'not-member': ['404'],
}
const TOKEN_CODES = ['401']

/**
 * Alibaba Mail: its open platform documents no login link, so this only queries the mailbox, and the link is the login page. If single
 * sign-on is configured there, it redirects people to us and logs them in.
 */
export const alimail: MailboxDriverOf<AlimailSettings> = (context, settings) => {
  const checkMailbox = ({ address }: { address: string }) => requireMailbox(context, settings, address)
  return {
    host: settings.apiHost,
    async loginUrl(visitor) {
      await checkMailbox(visitor)
      return `${settings.loginHost}/?${new URLSearchParams({ account: visitor.address })}`
    },
    checkSecret: async () => void (await fetchToken(context, settings)),
    checkMailbox,
  }
}

async function fetchToken(context: ConnectorContext, settings: AlimailSettings): Promise<AppToken> {
  const { apiHost, clientId, clientSecret } = settings
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const { status, document } = await callProvider(context, {
    step: 'token',
    url: `${apiHost}/oauth2/v2.0/token`,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const token = textAtPointer(document, '/access_token')
  if (status < 400 && token !== '') {
    return { token, expiresAt: new Date(context.now().getTime() + lifetimeOf(document, '/expires_in') * 1000) }
  }
  if (status < 400) throw new ConnectorFault('unusable', 'token missing')
  const said = textAtPointer(document, '/error')
  const code = /^\w{1,60}$/.test(said) ? said : String(status)
  throw new ConnectorFault('misconfigured', `token ${code}`, code)
}

async function requireMailbox(context: ConnectorContext, settings: AlimailSettings, address: string): Promise<void> {
  const { apiHost: host, clientId, clientSecret } = settings
  const key = tokenKey(host, clientId, clientSecret)
  // The status contains the error code; the body has another one per call, which their manual does not list.
  const call = (token: string) =>
    callVendor(
      context,
      {
        step: 'mailbox',
        host,
        path: `/v2/users/${encodeURIComponent(address)}`,
        headers: { authorization: `bearer ${token}` },
      },
      { codeAt: '/none', codes: CODES },
    )
  const source = {
    key,
    fetchToken: () => fetchToken(context, settings),
    ended: (error: unknown) => isVendorCode(error, TOKEN_CODES),
  }
  const document = await withAppToken(context, source, call)
  const isFrozen = ['/status', '/user/status'].some((pointer) => textAtPointer(document, pointer) === 'FREEZE')
  if (isFrozen) throw new ConnectorFault('not-visible', 'mailbox frozen', 'FREEZE')
}
