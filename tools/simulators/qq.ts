import { findPerson } from './people.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

const APP_ID = '101234567'
const KEY = 'nothing-secret-in-a-simulator'

const wrapped = (document: object): Reply => ({ text: `callback( ${JSON.stringify(document)} );\n`, type: 'text/html' })
/** Errors are always wrapped. */
const failed = (error: number, error_description: string): Reply => wrapped({ error, error_description })

const PROBLEMS: Record<'unknown' | 'used' | 'expired', [number, string]> = {
  unknown: [100019, 'code to access token error'],
  used: [100020, 'code is reused error'],
  expired: [100019, 'code to access token error'],
}

const wrongRequest = (query: URLSearchParams): string | null => {
  if (query.get('client_id') !== APP_ID) return '100008 client_id'
  return query.get('response_type') === 'code' ? null : '100000 response_type'
}

function redeem(simulator: Simulator, { query }: Call): Reply {
  if (query.get('client_id') !== APP_ID) return failed(100008, 'appid does not exist')
  if (query.get('client_secret') !== KEY) return failed(100009, 'client secret is illegal')
  const redeemed = simulator.redeemCode(query.get('code') ?? '', APP_ID)
  if (typeof redeemed === 'string') return failed(...PROBLEMS[redeemed])
  if (redeemed.redirectUri !== query.get('redirect_uri')) return failed(100010, 'redirect uri is illegal')
  return json({ access_token: simulator.issueToken(redeemed.person.id), expires_in: '7776000', refresh_token: 'r' })
}

function me(simulator: Simulator, { query }: Call): Reply {
  const subject = simulator.subjectOf(query.get('access_token') ?? '')
  const person = findPerson(({ id }) => id === subject)
  if (!person) return failed(100016, 'access token check failed')
  const union = query.get('unionid') === '1' ? { unionid: person.unionid } : {}
  return wrapped({ client_id: APP_ID, openid: person.openid, ...union, ...simulator.about })
}

function profile(simulator: Simulator, { query }: Call): Reply {
  const subject = simulator.subjectOf(query.get('access_token') ?? '')
  const person = findPerson(({ id, openid }) => id === subject && openid === query.get('openid'))
  return json(
    person ? { ret: 0, msg: '', nickname: person.name, figureurl_qq_2: '' } : { ret: -23, msg: 'token is invalid' },
  )
}

/** QQ Connect. */
export const qq: Vendor = {
  title: 'QQ (simulated)',
  settings: (url) => ({ appId: APP_ID, appKey: KEY, unionId: true, apiHost: url }),
  application: APP_ID,
  returnedCode: 'code',
  pages: { '/oauth2.0/authorize': wrongRequest },
  calls: {
    '/oauth2.0/token': { step: 'token', answer: redeem },
    '/oauth2.0/me': { step: 'user', answer: me },
    '/user/get_user_info': { step: 'member', answer: profile },
  },
  stale: failed(100013, 'access token is illegal'),
  busy: failed(-1, 'system busy'),
  address: failed(100031, 'the application has no right to this interface'),
}
