import { OAUTH2_PRESETS, type OAuth2PresetName } from '../../shared/rules/oauth2-presets.ts'
import { findPerson, type Person } from './people.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

const CLIENT_ID = 'gatehouse'
const SECRET = 'nothing-secret-in-a-simulator'

export type EducationPlatform = Exclude<OAuth2PresetName, 'custom'>

type Failure = 'client' | 'code' | 'token'

/** How a platform differs from what all of them require. */
type Dialect = {
  clientId: string
  secret: string
  /** Where the token call has its fields. */
  sends: 'form' | 'json' | 'query'
  code: string
  /** The token is the application's own, of which there is one at a time. */
  ofApp: boolean
  /** Where the user call has the token. */
  tokenOf(call: Call): string
  granted(token: string): object
  failed(failure: Failure): Reply
  person(person: Person, role: number): object
  /** Further parameters that the page requires. */
  extra: Record<string, string>
  address: Reply
}

const STANDARD: Dialect = {
  clientId: 'client_id',
  secret: 'client_secret',
  sends: 'form',
  code: 'code',
  ofApp: false,
  tokenOf: ({ query }) => query.get('access_token') ?? '',
  granted: (token) => ({ access_token: token, token_type: 'bearer', expires_in: 7200 }),
  failed: (failure) => {
    const error = { client: 'invalid_client', code: 'invalid_grant', token: 'invalid_token' }[failure]
    return json({ error, error_description: 'said by a simulator' }, failure === 'code' ? 400 : 401)
  },
  person: ({ id, name, phone }) => ({ userId: id, userName: name, phone }),
  extra: {},
  address: json({ error: 'access_denied_ip' }, 403),
}

const coded = (errcode: number): Reply => json({ errcode, errmsg: 'said by a simulator', data: null })
const camel = (code: number): Reply => json({ success: false, code, message: 'said by a simulator' })

const DIALECTS: Record<EducationPlatform, Dialect> = {
  smartedu: { ...STANDARD, extra: { grant_type: 'authorization_code' } },
  epaas: {
    ...STANDARD,
    clientId: 'appid',
    secret: 'secret',
    sends: 'json',
    granted: (token) => ({ errcode: 0, errmsg: 'ok', data: { access_token: token, expires_in: 7200 } }),
    failed: (failure) => coded({ client: 40013, code: 40029, token: 40014 }[failure]),
    person: ({ id, name }, role) => ({
      errcode: 0,
      errmsg: 'ok',
      userid: id,
      user_name: name,
      role_id: role,
      corpid: 80_000,
      corp_name: 'Test school',
      login_factors: ['CLASS_CODE'],
    }),
    address: coded(60_020),
  },
  changsha: {
    ...STANDARD,
    clientId: 'clientId',
    secret: 'secret',
    sends: 'query',
    ofApp: true,
    tokenOf: ({ query }) => query.get('accessToken') ?? '',
    granted: (token) => ({ success: true, result: token }),
    failed: (failure) => camel({ client: -9997, code: -101, token: -100 }[failure]),
    person: ({ id, name }) => ({ success: true, result: { userId: id, userName: name } }),
    address: camel(-9996),
  },
  y9: {
    ...STANDARD,
    tokenOf: ({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '',
    person: ({ id, name }) => ({ sub: id, name, loginName: id, tenantId: 'school' }),
  },
  wecard: {
    ...STANDARD,
    clientId: 'app_key',
    secret: 'app_secret',
    sends: 'json',
    code: 'wxcode',
    tokenOf: ({ body }) => String(body?.['access_token']),
    person: ({ id, name }, role) => ({
      errcode: 0,
      errmsg: 'ok',
      ocode: `o${id}`,
      card_number: id,
      name,
      identity_type: role,
      college: 'School of testing',
    }),
    failed: (failure) => coded({ client: 40013, code: 40029, token: 40001 }[failure]),
    address: coded(40_164),
  },
  class: {
    ...STANDARD,
    clientId: 'appkey',
    secret: 'appsecret',
    extra: { grant_type: 'authorization_code' },
    person: ({ id, name, phone }, role) => ({ userId: id, userName: name, mobile: phone, userType: role }),
  },
}

const STATE = /^[a-zA-Z0-9]{1,128}$/

/** What is wrong with a page's request, or null. */
const wrongRequest =
  ({ clientId, extra }: Dialect, responseType: string) =>
  (query: URLSearchParams): string | null => {
    if (query.get(clientId) !== CLIENT_ID) return `${clientId}: no such application`
    if (query.get(responseType) !== 'code') return responseType
    const missing = Object.entries(extra).find(([name, value]) => query.get(name) !== value)
    if (missing) return missing[0]
    return STATE.test(query.get('state') ?? '') ? null : 'state'
  }

const fieldsOf = ({ sends }: Dialect, { body, form, query }: Call): Record<string, unknown> =>
  sends === 'json' ? (body ?? {}) : Object.fromEntries(sends === 'query' ? query : form)

function tokenOf(dialect: Dialect, simulator: Simulator, call: Call): Reply {
  const sent = fieldsOf(dialect, call)
  if (sent[dialect.clientId] !== CLIENT_ID || sent[dialect.secret] !== SECRET) return dialect.failed('client')
  if (dialect.ofApp) {
    // Renewing invalidates the old one.
    simulator.revokeTokens()
    return json(dialect.granted(simulator.issueToken('app')))
  }
  const redeemed = simulator.redeemCode(String(sent[dialect.code] ?? ''), CLIENT_ID)
  if (typeof redeemed === 'string' || redeemed.redirectUri !== sent['redirect_uri']) return dialect.failed('code')
  return json(dialect.granted(simulator.issueToken(redeemed.person.id)))
}

/** Students, teachers and parents. */
const ROLES: Readonly<Record<string, number>> = { LiLei: 11, HanMeimei: 12 }
const PARENT = 13

function userOf(dialect: Dialect, simulator: Simulator, call: Call): Reply {
  const subject = simulator.subjectOf(dialect.tokenOf(call))
  if (subject === undefined) return dialect.failed('token')
  if (!dialect.ofApp) return personOf(findPerson(({ id }) => id === subject))
  const redeemed = simulator.redeemCode(call.query.get('code') ?? '', CLIENT_ID)
  return typeof redeemed === 'string' ? dialect.failed('code') : personOf(redeemed.person)

  function personOf(person: Person | undefined): Reply {
    if (!person) return dialect.failed('token')
    return json({ ...dialect.person(person, ROLES[person.id] ?? PARENT), ...simulator.about })
  }
}

function platform(name: EducationPlatform): Vendor {
  const dialect = DIALECTS[name]
  const preset = OAUTH2_PRESETS[name]
  const pathOf = (address: string) => new URL(address).pathname
  const { responseType = 'response_type', redirectUri = 'redirect_uri' }: Record<string, string> =
    'names' in preset ? preset.names : {}
  const at = (url: string, address: string) => url + pathOf(address)
  const { authorizeUrl, tokenUrl, userUrl } = preset
  return {
    title: `Education platform (${name}, simulated)`,
    settings: (url) => ({
      ...preset,
      clientId: CLIENT_ID,
      clientSecret: SECRET,
      authorizeUrl: at(url, authorizeUrl),
      tokenUrl: at(url, tokenUrl),
      userUrl: at(url, userUrl),
    }),
    application: CLIENT_ID,
    returnedCode: dialect.code,
    redirectName: redirectUri,
    pages: { [pathOf(authorizeUrl)]: wrongRequest(dialect, responseType) },
    calls: {
      [pathOf(tokenUrl)]: { step: 'token', answer: (simulator, call) => tokenOf(dialect, simulator, call) },
      [pathOf(userUrl)]: { step: 'user', answer: (simulator, call) => userOf(dialect, simulator, call) },
    },
    busy: json({ errcode: -1, error: 'temporarily_unavailable' }, 503),
    address: dialect.address,
  }
}

/** Each education platform for which the connector has a preset. */
export const EDUCATION_PLATFORMS = {
  smartedu: platform('smartedu'),
  epaas: platform('epaas'),
  changsha: platform('changsha'),
  y9: platform('y9'),
  wecard: platform('wecard'),
  class: platform('class'),
} as const satisfies Readonly<Record<EducationPlatform, Vendor>>
