import { WeChatLoginHost, WeChatSettings } from '#shared/contract/vendor-settings.ts'
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
  unavailable: ['-1', '45009', '45011'],
  misconfigured: ['40001', '40013', '40125', '40164', '41002', '41004', '48001', '50001', '50002'],
}
/** Codes for login codes: invalid, used, expired. */
const CODE_REFUSED = ['40029', '40163', '42003']
/** People of all applications of one open platform account. */
const UNION_REALM = 'unionid'

/** WeChat: by QR code everywhere, and at once inside WeChat if an official account is configured. */
export const weChat: Connector = {
  settings: WeChatSettings,
  secrets: ['secret', 'accountSecret'],
  ownBrowser: /\bMicroMessenger\/(?!.*\bwxwork\/)/i,
  // Without an official account its own browser shows a code, too.
  isSilent: (stored) => Boolean((stored as Partial<WeChatSettings>).accountAppId),
  frameOrigin: (stored) => storedHost(WeChatLoginHost, stored, 'loginHost'),
  open(context, stored) {
    const settings = WeChatSettings.parse(stored)
    return {
      host: settings.apiHost,
      authorizeUrl: async (attempt) => buildAuthorizeUrl(settings, attempt),
      frameUrl: (attempt) => buildFrameUrl(settings, attempt),
      exchange: async (attempt, returned) => fetchIdentity(context, settings, attempt, codeOf(returned)),
      checks: [
        { step: 'secret', run: () => tryCode(context, settings, false) },
        ...(settings.accountAppId === ''
          ? []
          : [{ step: 'account' as const, run: () => tryCode(context, settings, true) }]),
      ],
    }
  },
}

/** The page that the vendor's own script would frame, 300 × 400. The callback arrives in the frame. */
function buildFrameUrl({ appId, loginHost }: WeChatSettings, { redirectUri, state }: AuthorizationAttempt): string {
  const query = { appid: appId, scope: 'snsapi_login', redirect_uri: redirectUri, state, login_type: 'jssdk' }
  const look = { styletype: '', sizetype: '', bgcolor: '', rst: '', style: 'black', href: '' }
  return `${loginHost}/connect/qrconnect?${new URLSearchParams({ ...query, self_redirect: 'true', ...look })}`
}

const isByAccount = ({ accountAppId }: WeChatSettings, { inApp }: Pick<AuthorizationAttempt, 'inApp'>): boolean =>
  inApp && accountAppId !== ''

function buildAuthorizeUrl(settings: WeChatSettings, attempt: AuthorizationAttempt): string {
  const { appId, accountAppId, loginHost } = settings
  const isAccount = isByAccount(settings, attempt)
  const query = new URLSearchParams({
    appid: isAccount ? accountAppId : appId,
    redirect_uri: attempt.redirectUri,
    response_type: 'code',
    // The silent scope of an official account returns no UnionID, so nobody could be found by it.
    scope: isAccount ? 'snsapi_userinfo' : 'snsapi_login',
    state: attempt.state,
  })
  return `${loginHost}/connect/${isAccount ? 'oauth2/authorize' : 'qrconnect'}?${query}#wechat_redirect`
}

const answers = { codeAt: '/errcode', codes: CODES }

const redeemCode = (context: ConnectorContext, settings: WeChatSettings, isAccount: boolean, code: string) => {
  const { appId, secret, accountAppId, accountSecret, apiHost: host } = settings
  const application = isAccount ? { appid: accountAppId, secret: accountSecret } : { appid: appId, secret }
  const query = { ...application, code, grant_type: 'authorization_code' }
  return callVendor(context, { step: 'token', host, path: '/sns/oauth2/access_token', query }, answers)
}

/** With a made-up code and a correct secret, only the code is rejected. */
const tryCode = (context: ConnectorContext, settings: WeChatSettings, isAccount: boolean) =>
  requireRejection('token', CODE_REFUSED, redeemCode(context, settings, isAccount, 'gatehousecheck'))

async function fetchIdentity(
  context: ConnectorContext,
  settings: WeChatSettings,
  attempt: AuthorizationAttempt,
  code: string,
): Promise<ThirdPartyIdentity> {
  const isAccount = isByAccount(settings, attempt)
  const granted = await redeemCode(context, settings, isAccount, code)
  // For people who only view a page inside WeChat: an account without an owner.
  if (textAtPointer(granted, '/is_snapshotuser') === '1') throw new ConnectorFault('snapshot', 'token: snapshot user')
  const openid = parseSubject(resolvePointer(granted, '/openid'))
  const query = { access_token: textAtPointer(granted, '/access_token'), openid, lang: 'zh_CN' }
  const call = { step: 'user', host: settings.apiHost, path: '/sns/userinfo', query }
  const user = await callVendor(context, call, answers)
  if (textAtPointer(user, '/openid') !== openid) throw new ConnectorFault('unusable', 'user: other subject')
  const claims = presentClaims({ name: textAtPointer(user, '/nickname') })
  const byOpenId = { realm: isAccount ? settings.accountAppId : settings.appId, subject: openid }
  const unionid = textAtPointer(user, '/unionid') || textAtPointer(granted, '/unionid')
  if (unionid === '') return { ...byOpenId, claims, verified: [] }
  return { realm: UNION_REALM, subject: parseSubject(unionid), former: byOpenId, claims, verified: [] }
}
