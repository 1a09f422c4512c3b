import type { Ports } from './ports.types.ts'

export const ACCOUNT = '20260001'
export const PASSWORD = 'Interop-Passw0rd'
export const SUPER_USER = 'interop-super-user'
export const CLIENT_SECRET = 'interop-secret-of-more-than-32-characters'
/** Nothing listens there: the browser stops before it. */
export const AUTHLIB_CALLBACK = 'http://127.0.0.1:9/authlib/callback'

const casSite = (appId: string, port: number, attributes: unknown[]) => ({
  appId,
  name: appId,
  protocol: 'cas',
  type: 'whitelist',
  url: `https://localhost:${port}/`,
  serviceUrls: [`https://localhost:${port}/**`],
  attributes,
})

export const oidcClient = (clientId: string, url: string, addresses: object) => ({
  appId: clientId,
  name: clientId,
  protocol: 'oauth2',
  type: 'whitelist',
  url,
  clientId,
  clientSecret: CLIENT_SECRET,
  scopes: ['openid', 'profile', 'email'],
  attributes: ['account', 'name', 'mailbox'],
  ...addresses,
})

/** The bootstrap file of the run: one person and a super user, two CAS sites, the OpenID Connect clients, and what is passed in. */
export const content = (ports: Ports, more: object[]) => ({
  organizations: [{ code: 'cs', name: '计算机 <Science> & "Arts"' }],
  users: [
    { account: ACCOUNT, name: '李雷', password: PASSWORD, organization: 'cs', mailbox: 'lilei@example.edu' },
    { account: SUPER_USER, name: '韩梅梅', password: PASSWORD, isSuperUser: true },
  ],
  settings: { login: { secondFactorSuperUsers: false } },
  applications: [
    casSite('mod-auth-cas', ports.modAuthCas, [
      'name',
      { name: 'dept', from: 'organization' },
      { name: 'tier', value: 'gold' },
    ]),
    casSite('php-cas', ports.phpCas, ['name', 'mailbox', 'organization']),
    oidcClient('mod-auth-openidc', `https://localhost:${ports.modAuthOpenidc}/`, {
      redirectUris: [`https://localhost:${ports.modAuthOpenidc}/redirect_uri`],
      postLogoutRedirectUris: [`https://localhost:${ports.modAuthOpenidc}/`],
      backchannelLogoutUri: `https://localhost:${ports.modAuthOpenidc}/redirect_uri?logout=backchannel`,
    }),
    oidcClient('authlib', 'http://127.0.0.1:9/authlib/', {
      redirectUris: [AUTHLIB_CALLBACK],
      grantTypes: ['authorization_code', 'refresh_token'],
    }),
    ...more,
  ],
})
