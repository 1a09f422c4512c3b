import { QqApiHost, QqSettings } from '#shared/contract/vendor-settings.ts'
import {
  type AuthorizationAttempt,
  type Connector,
  type ConnectorContext,
  ConnectorFault,
  type ThirdPartyIdentity,
} from '../connector.types.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { storedHost } from '../stored-host.rules.ts'
import { parseSubject } from '../subject.rules.ts'
import { callVendor, codeOf, type FaultCodes, presentClaims, requireRejection } from '../vendor-call.service.ts'

const CODES: FaultCodes = {
  misconfigured: ['100001', '100002', '100008', '100009', '100010', '100011', '100031'],
  unavailable: ['-1'],
  'signed-out': ['100013'],
}
/** Codes for login codes: missing, unobtainable, not exchangeable, used. */
const CODE_REFUSED = ['100005', '100018', '100019', '100020']
const UNION_REALM = 'unionid'

/** QQ Connect, by the server-side code flow: what a script in the browser says about a person is not trusted. */
export const qq: Connector = {
  settings: QqSettings,
  secrets: ['appKey'],
  frameOrigin: (stored) => storedHost(QqApiHost, stored, 'apiHost'),
  open(context, stored) {
    const settings = QqSettings.parse(stored)
    return {
      host: settings.apiHost,
      authorizeUrl: async (attempt) => buildAuthorizeUrl(settings, attempt),
      // There is no other page for a frame; the callback arrives in the frame.
      frameUrl: (attempt) => buildAuthorizeUrl(settings, attempt),
      exchange: async (attempt, returned) => fetchIdentity(context, settings, attempt, returned),
      checks: [
        {
          step: 'secret',
          run: (redirectUri) =>
            requireRejection('token', CODE_REFUSED, redeemCode(context, settings, redirectUri, 'gatehousecheck')),
        },
      ],
    }
  },
}

function buildAuthorizeUrl(
  { appId, apiHost, unionId }: QqSettings,
  { redirectUri, state }: AuthorizationAttempt,
): string {
  const scope = unionId ? 'get_user_info,get_unionId' : 'get_user_info'
  const query = { response_type: 'code', client_id: appId, redirect_uri: redirectUri, state, scope }
  return `${apiHost}/oauth2.0/authorize?${new URLSearchParams(query)}`
}

const answers = { codeAt: '/error', codes: CODES }

async function redeemCode(context: ConnectorContext, settings: QqSettings, redirectUri: string, code: string) {
  const { appId, appKey, apiHost: host } = settings
  const query = {
    grant_type: 'authorization_code',
    client_id: appId,
    client_secret: appKey,
    code,
    redirect_uri: redirectUri,
    fmt: 'json',
  }
  const document = await callVendor(context, { step: 'token', host, path: '/oauth2.0/token', query }, answers)
  const token = textAtPointer(document, '/access_token')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return token
}

async function fetchIdentity(
  context: ConnectorContext,
  settings: QqSettings,
  { redirectUri }: AuthorizationAttempt,
  returned: Readonly<Record<string, string>>,
): Promise<ThirdPartyIdentity> {
  if (returned['error'] !== undefined || returned['msg'] !== undefined)
    throw new ConnectorFault('cancelled', 'authorize')
  const token = await redeemCode(context, settings, redirectUri, codeOf(returned))
  const { apiHost: host, appId, unionId } = settings
  const query = { access_token: token, fmt: 'json', ...(unionId && { unionid: '1' }) }
  const me = await callVendor(context, { step: 'user', host, path: '/oauth2.0/me', query }, answers)
  // A token that another application got for the same person proves nothing to us.
  if (textAtPointer(me, '/client_id') !== appId) throw new ConnectorFault('unusable', 'user: other application')
  const byOpenId = { realm: appId, subject: parseSubject(resolvePointer(me, '/openid')) }
  const claims = presentClaims({ name: await fetchName(context, settings, token, byOpenId.subject) })
  const union = textAtPointer(me, '/unionid')
  if (union === '') return { ...byOpenId, claims, verified: [] }
  return { realm: UNION_REALM, subject: parseSubject(union), former: byOpenId, claims, verified: [] }
}

/** Only for display, so a login does not fail without it. */
async function fetchName(
  context: ConnectorContext,
  { apiHost: host, appId }: QqSettings,
  token: string,
  openid: string,
): Promise<string> {
  const query = { access_token: token, oauth_consumer_key: appId, openid }
  try {
    const call = { step: 'profile', host, path: '/user/get_user_info', query }
    return textAtPointer(await callVendor(context, call, { codeAt: '/ret', codes: CODES }), '/nickname')
  } catch (error) {
    if (error instanceof ConnectorFault) return ''
    throw error
  }
}
