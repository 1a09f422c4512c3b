import type { CoremailSettings } from '#shared/contract/mailbox-settings.ts'
import { type AppToken, withAppToken } from '../app-token.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { callVendor, type FaultCodes, isVendorCode, tokenKey } from '../vendor-call.service.ts'
import type { MailboxDriverOf, MailboxVisitor } from './mailbox-driver.types.ts'

export const COREMAIL_CODES: FaultCodes = {
  unavailable: ['42'],
  'too-many': ['429'],
  misconfigured: ['20', '28', '35', '39', '48', '50', '51', '52', '59', '60', '401', '403'],
  'not-member': ['9', '19', '45'],
  'not-visible': ['53'],
}
/** The token has expired: a new one is fetched once. */
const TOKEN_CODES = ['28', '48']
/** The server's default; renewing earlier is cheap, later would fail. */
const TOKEN_SECONDS = 3600
const SESSION_ID = /^[\w.*=+/-]{8,500}$/

/** Coremail on premises: a link contains a session opened for the browser's address. */
export const coremail: MailboxDriverOf<CoremailSettings> = (context, settings) => ({
  host: settings.apiHost,
  loginUrl: (visitor) => openSession(context, settings, visitor),
  checkSecret: async () => void (await fetchToken(context, settings)),
  checkMailbox: async ({ address }) =>
    void (await callCoremail(context, settings, 'userExist', { user_at_domain: address })),
})

const answers = { codeAt: '/code', codes: COREMAIL_CODES }

async function fetchToken(
  context: ConnectorContext,
  { apiHost: host, appId, secret }: CoremailServer,
): Promise<AppToken> {
  const body = { app_id: appId, secret }
  const document = await callVendor(context, { step: 'token', host, path: '/apiws/v3/requestToken', body }, answers)
  const token = textAtPointer(document, '/result')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, expiresAt: new Date(context.now().getTime() + TOKEN_SECONDS * 1000) }
}

type CoremailServer = Pick<CoremailSettings, 'apiHost' | 'appId' | 'secret'>

/** One call of its API, with our token. @throws ConnectorFault */
export async function callCoremail(context: ConnectorContext, settings: CoremailServer, name: string, given: object) {
  const { apiHost: host, appId, secret } = settings
  const key = tokenKey(host, appId, secret)
  const ask = (_token: string) =>
    callVendor(context, { step: name, host, path: `/apiws/v3/${name}`, body: { _token, ...given } }, answers)
  const source = {
    key,
    fetchToken: () => fetchToken(context, settings),
    ended: (error: unknown) => isVendorCode(error, TOKEN_CODES),
  }
  return await withAppToken(context, source, ask)
}

async function openSession(context: ConnectorContext, settings: CoremailSettings, { address, ip }: MailboxVisitor) {
  const attrs = new URLSearchParams({ remote_ip: ip, type: 'WEB' }).toString()
  const document = await callCoremail(context, settings, 'userLoginEx', { user_at_domain: address, attrs })
  const sid = new URLSearchParams(textAtPointer(document, '/result')).get('sid') ?? ''
  if (!SESSION_ID.test(sid)) throw new ConnectorFault('unusable', 'session missing')
  return `${settings.loginHost}/coremail/main.jsp?${new URLSearchParams({ sid })}`
}
