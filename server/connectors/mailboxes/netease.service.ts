import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { NeteaseSettings } from '#shared/contract/mailbox-settings.ts'
import { ConnectorFault } from '../connector.types.ts'
import type { MailboxDriverOf } from './mailbox-driver.types.ts'

/** NetEase no longer accepts shorter ones. */
const MIN_KEY_BITS = 1024

/** NetEase: a link is signed here, with the time; the provider is not called. */
export const netease: MailboxDriverOf<NeteaseSettings> = (context, { privateKey, loginHost }) => ({
  host: loginHost,
  async loginUrl({ address, isChinese }) {
    const [account = '', domain = ''] = address.split('@')
    const time = String(context.now().getTime())
    // SHA-1 is what their own examples use, and all that they verify.
    const enc = sign('sha1', Buffer.from(account + domain + time), readKey(privateKey)).toString('hex')
    const query = { domain, account_name: account, time, enc, lang: isChinese ? '0' : '1' }
    return `${loginHost}/domain/oa/Entry?${new URLSearchParams(query)}`
  },
  checkSecret: async () => void readKey(privateKey),
})

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS) return key
  } catch {
    // Reported below: OpenSSL's message about a key is not for a page.
  }
  throw new ConnectorFault('misconfigured', 'key unreadable', 'bad-key')
}
