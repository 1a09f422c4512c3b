export const CLIENT_ID = 'gatehouse'
export const CLIENT_SECRET = 'the secret: of Gatehouse & Campus ID'

export type CampusPerson = { id: string; name: string; number: string; phone: string; email: string; role: number }

/** People with an account at Campus ID. */
export const PEOPLE: readonly CampusPerson[] = [
  { id: '30000001', name: 'Li Lei', number: 'lilei', phone: '13800000001', email: 'lilei@example.edu', role: 11 },
  { id: '30000002', name: 'Han Meimei', number: 'hanmeimei', phone: '13800000002', email: 'han@example.edu', role: 12 },
  {
    id: '30000003',
    name: 'Somebody Else',
    number: 'nobody',
    phone: '13800000003',
    email: 'else@example.edu',
    role: 13,
  },
]

type Names = { clientId: string; clientSecret: string; redirectUri: string; responseType: string; code: string }

/** How one kind of system behaves. */
export type Preset = {
  names: Names
  /** Additional parameters that its authorize URL requires. */
  extra: Record<string, string>
  returnedCode: string
  auth: 'basic' | 'body'
  tokenIn: 'body' | 'query'
  /** The token is the application's, and the code is sent to the user call. */
  appToken: boolean
  userToken: 'bearer' | 'query' | 'body'
  errorStatus: number
  granted(token: string, idToken: string | null): object
  failed(code: string): object
  person(person: CampusPerson & Record<string, unknown>): object
}

const STANDARD: Names = {
  clientId: 'client_id',
  clientSecret: 'client_secret',
  redirectUri: 'redirect_uri',
  responseType: 'response_type',
  code: 'code',
}

export type PresetName = 'plain' | 'wrapped' | 'camel' | 'oidc'

export const PRESETS: Record<PresetName, Preset> = {
  /** Plain OAuth 2.0 with forms, like the national hub: an extra parameter at the start. */
  plain: {
    names: STANDARD,
    extra: { grant_type: 'authorization_code' },
    returnedCode: 'code',
    auth: 'body',
    tokenIn: 'body',
    appToken: false,
    userToken: 'query',
    errorStatus: 400,
    granted: (token) => ({ access_token: token, expires_in: 7200 }),
    failed: (code) => ({ error: 'invalid_grant', error_description: code }),
    person: ({ id, name, number, phone, email, role }) => ({
      userid: Number(id),
      user_name: name,
      number,
      phone,
      email,
      role_id: role,
    }),
  },
  /** JSON in, JSON out, the token one level down, errors with status 200. */
  wrapped: {
    names: { ...STANDARD, clientId: 'appid', clientSecret: 'secret' },
    extra: {},
    returnedCode: 'authCode',
    auth: 'body',
    tokenIn: 'body',
    appToken: false,
    userToken: 'body',
    errorStatus: 200,
    granted: (token) => ({ errcode: 0, errmsg: 'ok', data: { access_token: token, expires_in: '7200' } }),
    failed: (code) => ({ errcode: 40029, errmsg: `${code}, hint: [1599]`, data: null }),
    person: ({ id, name, phone, email, role }) => ({
      errcode: 0,
      data: { openId: id, nick: name, mobile: phone, email, role },
    }),
  },
  /** camelCase everywhere, the application's own token, renewing invalidates the old one. */
  camel: {
    names: {
      clientId: 'clientId',
      clientSecret: 'secret',
      redirectUri: 'redirectUri',
      responseType: 'responseType',
      code: 'code',
    },
    extra: {},
    returnedCode: 'code',
    auth: 'body',
    tokenIn: 'query',
    appToken: true,
    userToken: 'query',
    errorStatus: 200,
    granted: (token) => ({ success: true, result: token }),
    failed: (code) => ({ success: false, code: code === 'token' ? -100 : -101, message: code }),
    person: ({ id, name, number }) => ({ success: true, result: { userId: id, userName: name, staffNo: number } }),
  },
  /** OpenID Connect with discovery. */
  oidc: {
    names: STANDARD,
    extra: {},
    returnedCode: 'code',
    auth: 'basic',
    tokenIn: 'body',
    appToken: false,
    userToken: 'bearer',
    errorStatus: 400,
    granted: (token, idToken) => ({ access_token: token, token_type: 'Bearer', expires_in: 300, id_token: idToken }),
    failed: (code) => ({ error: code === 'secret' ? 'invalid_client' : 'invalid_grant' }),
    person: ({ id, name, phone, email, number: _, role: __, ...more }) => ({
      sub: id,
      name,
      phone_number: phone,
      email,
      email_verified: false,
      phone_number_verified: false,
      ...more,
    }),
  },
}

/** The settings of the connector for each preset, as an administrator would enter them. */
export function presetSettings(preset: PresetName, url: string): Record<string, unknown> {
  const base = `${url}/${preset}`
  const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const addresses = { authorizeUrl: `${base}/authorize`, tokenUrl: `${base}/token`, userUrl: `${base}/user` }
  const ok = { pointer: '/errcode', equals: 0 }
  const settings: Record<PresetName, Record<string, unknown>> = {
    oidc: { ...client, discoveryUrl: `${base}/.well-known/openid-configuration`, scope: 'openid profile email phone' },
    plain: {
      ...client,
      ...addresses,
      scope: 'userInfo',
      authorizeExtra: { grant_type: 'authorization_code' },
      token: { auth: 'body' },
      user: { token: 'query' },
      claims: {
        subject: '/userid',
        name: '/user_name',
        number: '/number',
        phone: '/phone',
        mailbox: '/email',
        role: '/role_id',
      },
      values: { role: { '11': 'student', '12': 'teacher' } },
    },
    wrapped: {
      ...client,
      ...addresses,
      pkce: false,
      names: { clientId: 'appid', clientSecret: 'secret', returnedCode: 'authCode' },
      token: { auth: 'body', body: 'json', token: '/data/access_token', success: ok, error: '/errcode' },
      user: { method: 'POST', token: 'body', success: ok, error: '/errcode' },
      claims: { subject: '/data/openId', name: '/data/nick', phone: '/data/mobile', mailbox: '/data/email' },
    },
    camel: {
      ...client,
      ...addresses,
      pkce: false,
      names: {
        clientId: 'clientId',
        clientSecret: 'secret',
        redirectUri: 'redirectUri',
        responseType: 'responseType',
        scope: '',
      },
      token: {
        method: 'GET',
        body: 'query',
        auth: 'body',
        of: 'app',
        token: '/result',
        success: { pointer: '/success', equals: true },
        error: '/code',
      },
      user: { token: 'query', success: { pointer: '/success', equals: true }, error: '/code' },
      claims: { subject: '/result/userId', name: '/result/userName', number: '/result/staffNo' },
    },
  }
  return settings[preset]
}
