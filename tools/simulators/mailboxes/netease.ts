import { generateKeyPairSync, type KeyPairSyncResult, verify } from 'node:crypto'
import type { Vendor } from '../simulator.ts'
import type { Reply, Simulator } from '../simulator.types.ts'
import { inbox, MAIL_DOMAIN, mailboxStateOf, turnedAway } from './mailbox-page.ts'

const TITLE = 'NetEase (simulated)'
/** How much the time in a link may differ from the vendor's. */
const MAX_AGE_MS = 300_000

let keys: KeyPairSyncResult<string, string> | undefined
/** Generated on demand, so that no key is in the repository. */
function keyPair(): KeyPairSyncResult<string, string> {
  keys ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return keys
}

const seen = new WeakMap<Simulator, Set<string>>()

function enter(simulator: Simulator, query: URLSearchParams): Reply {
  const [domain = '', account = '', time = '', enc = ''] = ['domain', 'account_name', 'time', 'enc'].map(
    (name) => query.get(name) ?? '',
  )
  if (domain !== MAIL_DOMAIN) return turnedAway(TITLE, 'There is no such domain.')
  const isSigned = verify('sha1', Buffer.from(account + domain + time), keyPair().publicKey, Buffer.from(enc, 'hex'))
  if (!isSigned) return turnedAway(TITLE, 'The signature is wrong.')
  if (Math.abs(simulator.now().getTime() - Number(time)) > MAX_AGE_MS) return turnedAway(TITLE, 'The link is expired.')
  const used = seen.get(simulator) ?? new Set<string>()
  seen.set(simulator, used)
  if (used.has(enc)) return turnedAway(TITLE, 'The link is used.')
  used.add(enc)
  const address = `${account}@${domain}`
  return mailboxStateOf(simulator, address) === 'there'
    ? inbox(TITLE, address)
    : turnedAway(TITLE, 'There is no such mailbox.')
}

const nothing: Reply = { status: 404, text: '404' }

/** NetEase. */
export const netease: Vendor = {
  title: TITLE,
  settings: (url) => ({ driver: 'netease', privateKey: keyPair().privateKey, loginHost: url }),
  application: MAIL_DOMAIN,
  returnedCode: '',
  pages: {},
  shows: { '/domain/oa/Entry': enter },
  calls: {},
  busy: nothing,
  address: nothing,
}
