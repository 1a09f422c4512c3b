import { findPerson } from './people.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

const APP_ID = 'wx1234567890abcdef'
const SECRET = 'nothing-secret-in-a-simulator'
/** The official account, in which people are logged in inside WeChat; not everybody has one. */
export const WE_CHAT_ACCOUNT = {
  accountAppId: 'wx0fedcba987654321',
  accountSecret: 'nothing-secret-in-an-official-account',
} as const
const SECRETS = new Map<string, string>([
  [APP_ID, SECRET],
  [WE_CHAT_ACCOUNT.accountAppId, WE_CHAT_ACCOUNT.accountSecret],
])
const IN_APP_PATH = '/connect/oauth2/authorize'

/** Each application has its own OpenID of a person. */
const openIdAt = (application: string, openid: string) => (application === APP_ID ? openid : `${openid}-account`)

const failed = (errcode: number, errmsg: string): Reply =>
  json({ errcode, errmsg: `${errmsg}, rid: 60000000-00000000-00000000` })

const PROBLEMS: Record<'unknown' | 'used' | 'expired', [number, string]> = {
  unknown: [40029, 'invalid code'],
  used: [40163, 'code been used'],
  expired: [42003, 'code expired'],
}

/** In a frame the type is left out, and the page is told to stay there. */
const isTypeRight = (query: URLSearchParams): boolean =>
  query.get('login_type') === 'jssdk'
    ? query.get('scope') === 'snsapi_login' && query.get('self_redirect') === 'true'
    : query.get('response_type') === 'code'

const wrongRequest = (application: string, scope: string) => (query: URLSearchParams) => {
  if (query.get('appid') !== application) return 'appid: no such application'
  if (query.get('scope') !== scope || !isTypeRight(query)) return 'scope, response_type'
  return /^[a-zA-Z0-9]{1,128}$/.test(query.get('state') ?? '') ? null : 'state'
}

/** Does an application have what all applications share about this person? */
const unionOf = ({ about }: Simulator, unionid: string) => (about['withoutUnionId'] ? {} : { unionid })

function redeem(simulator: Simulator, { query }: Call): Reply {
  const application = query.get('appid') ?? ''
  const secret = SECRETS.get(application)
  if (secret === undefined) return failed(40013, 'invalid appid')
  if (query.get('secret') !== secret) return failed(40125, 'invalid appsecret')
  const redeemed = simulator.redeemCode(query.get('code') ?? '', application)
  if (typeof redeemed === 'string') return failed(...PROBLEMS[redeemed])
  const { id, openid, unionid, standing } = redeemed.person
  return json({
    access_token: simulator.issueToken(id),
    expires_in: 7200,
    refresh_token: 'r',
    openid: openIdAt(application, openid),
    scope: application === APP_ID ? 'snsapi_login' : 'snsapi_userinfo',
    ...unionOf(simulator, unionid),
    ...(standing === 'snapshot' && { is_snapshotuser: 1 }),
  })
}

function userInfo(simulator: Simulator, { query }: Call): Reply {
  const subject = simulator.subjectOf(query.get('access_token') ?? '')
  const person = findPerson(({ id }) => id === subject)
  if (!person) return failed(40001, 'invalid credential')
  const { name: nickname, unionid } = person
  const openid = query.get('openid') ?? ''
  if (![...SECRETS.keys()].some((application) => openIdAt(application, person.openid) === openid))
    return failed(40003, 'invalid openid')
  return json({
    openid,
    nickname,
    sex: 0,
    headimgurl: '',
    privilege: [],
    ...unionOf(simulator, unionid),
    ...simulator.about,
  })
}

/** WeChat. */
export const weChat: Vendor = {
  title: 'WeChat (simulated)',
  settings: (url) => ({ appId: APP_ID, secret: SECRET, apiHost: url, loginHost: url }),
  application: APP_ID,
  applicationOf: (path) => (path === IN_APP_PATH ? WE_CHAT_ACCOUNT.accountAppId : undefined),
  returnedCode: 'code',
  pages: {
    '/connect/qrconnect': wrongRequest(APP_ID, 'snsapi_login'),
    [IN_APP_PATH]: wrongRequest(WE_CHAT_ACCOUNT.accountAppId, 'snsapi_userinfo'),
  },
  calls: {
    '/sns/oauth2/access_token': { step: 'token', answer: redeem },
    '/sns/userinfo': { step: 'user', answer: userInfo },
  },
  busy: failed(-1, 'system busy'),
  address: failed(40164, 'invalid ip, not in whitelist'),
}
