import type { z } from 'zod'
import type { OAuth2Settings } from '../contract/oauth2-settings.ts'

type Given = z.input<typeof OAuth2Settings>

/**
 * The protocol of an education platform. Addresses under example.edu stand for a host that differs by city or school.
 */
export type OAuth2Preset = Omit<Given, 'clientId' | 'clientSecret'>

const OK = { pointer: '/errcode', equals: '0' }
const IS_SUCCESS = { pointer: '/success', equals: 'true' }
const ROLES = { '11': 'student', '12': 'teacher', '13': 'parent' }

/** What a page fills in; every field can be changed. */
export const OAUTH2_PRESETS = {
  /** National smart education hub. */
  smartedu: {
    authorizeUrl: 'https://platform.example.edu/uias/oauth/authorize',
    tokenUrl: 'https://platform.example.edu/uias/oauth/token',
    userUrl: 'https://platform.example.edu/uias/oauth/userinfo',
    scope: 'userInfo',
    authorizeExtra: { grant_type: 'authorization_code' },
    token: { auth: 'body' },
    user: { token: 'query' },
    claims: { subject: '/userId', name: '/userName', number: null, phone: '/phone', mailbox: '/email', avatar: null },
    pkce: false,
  },
  /** Tencent education, EPaaS. */
  epaas: {
    authorizeUrl: 'https://sso.qq.com/open/oauth2/authorize',
    tokenUrl: 'https://sso.qq.com/open/access_token',
    userUrl: 'https://oapi.epaas.qq.com/account/userinfo',
    names: { clientId: 'appid', clientSecret: 'secret', scope: '' },
    token: {
      auth: 'body',
      body: 'json',
      token: '/data/access_token',
      error: '/errcode',
      expiresIn: '/data/expires_in',
    },
    user: { token: 'query', success: OK, error: '/errcode' },
    claims: {
      subject: '/userid',
      name: '/user_name',
      phone: null,
      mailbox: null,
      role: '/role_id',
      orgCode: '/corpid',
      orgName: '/corp_name',
      avatar: '/avatar',
    },
    values: { role: ROLES },
    pkce: false,
  },
  /** Changsha education platform: renewing the application's token invalidates the old one. */
  changsha: {
    authorizeUrl: 'https://sso.csedu.gov.cn/open/oauth2/auth',
    tokenUrl: 'https://sso.csedu.gov.cn/open/api/accessToken',
    userUrl: 'https://sso.csedu.gov.cn/open/api/user',
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
      success: IS_SUCCESS,
      error: '/code',
    },
    user: { token: 'query', tokenName: 'accessToken', success: IS_SUCCESS, error: '/code' },
    claims: { subject: '/result/userId', name: '/result/userName', phone: null, mailbox: null, avatar: null },
    pkce: false,
  },
  /** "Digital base" of a product derived from CAS. */
  y9: {
    authorizeUrl: 'https://platform.example.edu/sso/oidc/authorize',
    tokenUrl: 'https://platform.example.edu/sso/oidc/accessToken',
    userUrl: 'https://platform.example.edu/sso/oidc/profile',
    scope: 'openid y9',
    token: { auth: 'body' },
    claims: { subject: '/sub', name: '/name', number: '/loginName', orgCode: '/tenantId' },
    pkce: false,
  },
  /** Tencent campus card. */
  wecard: {
    authorizeUrl: 'https://open.wecard.qq.com/connect/oauth/authorize',
    tokenUrl: 'https://open.wecard.qq.com/connect/oauth2/token',
    userUrl: 'https://open.wecard.qq.com/connect/oauth/get-user-info',
    scope: 'snsapi_userinfo',
    names: { clientId: 'app_key', clientSecret: 'app_secret', code: 'wxcode', returnedCode: 'wxcode' },
    token: { auth: 'body', body: 'json', error: '/errcode' },
    user: { method: 'POST', token: 'body', success: OK, error: '/errcode' },
    claims: {
      subject: '/ocode',
      name: '/name',
      number: '/card_number',
      phone: null,
      mailbox: null,
      role: '/identity_type',
      orgName: '/college',
      avatar: null,
    },
    pkce: false,
  },
  /** Class platforms. */
  class: {
    authorizeUrl: 'https://platform.example.edu/login/oAuthLogin.html',
    tokenUrl: 'https://platform.example.edu/loginserv/oauth/connect/token',
    userUrl: 'https://platform.example.edu/loginserv/oauth/userinfo',
    names: { clientId: 'appkey', clientSecret: 'appsecret' },
    authorizeExtra: { grant_type: 'authorization_code' },
    token: { auth: 'body' },
    user: { token: 'query' },
    claims: { subject: '/userId', name: '/userName', phone: '/mobile', mailbox: null, role: '/userType', avatar: null },
    pkce: false,
  },
  /** Standard OAuth 2.0 and OpenID Connect. */
  custom: {},
} as const satisfies Record<string, OAuth2Preset>

export type OAuth2PresetName = keyof typeof OAUTH2_PRESETS
export const OAUTH2_PRESET_NAMES = Object.keys(OAUTH2_PRESETS) as OAuth2PresetName[]
