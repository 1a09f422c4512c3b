import type { ExmailSettings } from '#shared/contract/mailbox-settings.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import {
  callAsApp,
  type FaultCodes,
  fetchAppToken,
  type VendorApp,
  type VendorCredentials,
} from '../vendor-call.service.ts'
import type { MailboxDriverOf } from './mailbox-driver.types.ts'

const CODES: FaultCodes = {
  unavailable: ['-1'],
  'too-many': ['45009', '45033'],
  misconfigured: ['40001', '40013', '40014', '41002', '41004', '42001', '48001', '48002', '60020', '301002'],
  'not-member': ['60111'],
  'not-visible': ['60120', '60121'],
}

/** A corporation with the secret of one function, each of which has its own. */
export const exmailApp = (credentials: VendorCredentials): VendorApp => ({
  ...credentials,
  tokenPath: '/cgi-bin/gettoken',
  tokenNames: ['corpid', 'corpsecret'],
  answers: { codeAt: '/errcode', codes: CODES },
})

const appOf = ({ apiHost: host, corpId: application, secret }: ExmailSettings): VendorApp =>
  exmailApp({ host, application, secret })

/** Tencent Exmail: a link is valid once and for five minutes. */
export const exmail: MailboxDriverOf<ExmailSettings> = (context, settings) => {
  const loginUrl = ({ address }: { address: string }) => fetchLink(context, settings, address)
  return {
    host: settings.apiHost,
    loginUrl,
    checkSecret: async () => void (await fetchAppToken(context, appOf(settings))),
    // The single sign-on secret allows no lesser request than a link, which nobody follows.
    checkMailbox: async (visitor) => void (await loginUrl(visitor)),
  }
}

async function fetchLink(context: ConnectorContext, settings: ExmailSettings, address: string): Promise<string> {
  const call = { step: 'link', path: '/cgi-bin/service/get_login_url', query: { userid: address } }
  const document = await callAsApp(context, appOf(settings), call)
  const link = textAtPointer(document, '/login_url')
  if (!URL.canParse(link)) throw new ConnectorFault('unusable', 'link missing')
  // Institutions with their own domain change the host; the answer may not lead anywhere else.
  const { pathname, search } = new URL(link)
  return settings.loginHost + pathname + search
}
