import type { ExmailSettings } from '#shared/contract/mailbox-settings.ts'
import { type AppToken, withAppToken } from '../app-token.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { callVendor, type FaultCodes, isVendorCode, lifetimeOf, tokenKey } from '../vendor-call.service.ts'
import type { MailboxDriverOf } from './mailbox-driver.types.ts'

const CODES: FaultCodes = {
  unavailable: ['-1', '45009', '45033'],
  misconfigured: ['40001', '40013', '40014', '41002', '41004', '42001', '48001', '48002', '60020', '301002'],
  'not-member': ['60111'],
  'not-visible': ['60120', '60121'],
}
const TOKEN_CODES = ['40014', '42001']
const answers = { codeAt: '/errcode', codes: CODES }

/** Tencent Exmail: a link counts once and for five minutes. */
export const exmail: MailboxDriverOf<ExmailSettings> = (context, settings) => {
  const loginUrl = ({ address }: { address: string }) => fetchLink(context, settings, address)
  return {
    host: settings.apiHost,
    loginUrl,
    checkSecret: async () => void (await fetchToken(context, settings)),
    // Of what the secret of the single sign-on may ask there is nothing less than a link, which nobody follows.
    checkMailbox: async (visitor) => void (await loginUrl(visitor)),
  }
}

async function fetchToken(
  context: ConnectorContext,
  { apiHost: host, corpId, secret }: ExmailSettings,
): Promise<AppToken> {
  const query = { corpid: corpId, corpsecret: secret }
  const document = await callVendor(context, { step: 'token', host, path: '/cgi-bin/gettoken', query }, answers)
  const token = textAtPointer(document, '/access_token')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, expiresAt: new Date(context.now().getTime() + lifetimeOf(document, '/expires_in') * 1000) }
}

async function fetchLink(context: ConnectorContext, settings: ExmailSettings, address: string): Promise<string> {
  const { apiHost: host, corpId, secret, loginHost } = settings
  const key = tokenKey(host, corpId, secret)
  const call = (token: string) => {
    const query = { access_token: token, userid: address }
    return callVendor(context, { step: 'link', host, path: '/cgi-bin/service/get_login_url', query }, answers)
  }
  const source = {
    key,
    fetchToken: () => fetchToken(context, settings),
    ended: (error: unknown) => isVendorCode(error, TOKEN_CODES),
  }
  const document = await withAppToken(context, source, call)
  const link = textAtPointer(document, '/login_url')
  if (!URL.canParse(link)) throw new ConnectorFault('unusable', 'link missing')
  // Institutions with a domain of their own change the host, and nobody else's answer may lead anywhere but there.
  const { pathname, search } = new URL(link)
  return loginHost + pathname + search
}
