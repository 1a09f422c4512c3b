import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// Written from the providers' documentation, independently of the code that signs: a mistake must not be on both sides.

type Call = { request: IncomingMessage; url: URL; body: string; now: Date }
type Account = { id: string; secret: string }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const header = (request: IncomingMessage, name: string) => String(request.headers[name] ?? '')
const FIVE_MINUTES = 300_000

const isOld = (at: number, now: Date, most = FIVE_MINUTES) => !(Math.abs(now.getTime() - at) <= most)

function isRepeated(nonces: Set<string>, nonce: string): boolean {
  if (nonce === '' || nonces.has(nonce)) return true
  nonces.add(nonce)
  return false
}

/** @returns the provider's code for what is wrong, or null */
export function verifyAliyun({ request, url, body, now }: Call, account: Account, nonces: Set<string>): string | null {
  const parts = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    header(request, 'authorization'),
  )
  if (!parts) return 'IncompleteSignature'
  const [, id, names = '', signature] = parts
  if (id !== account.id) return 'InvalidAccessKeyId.NotFound'
  const present = Object.keys(request.headers)
    .filter((name) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .sort()
  if (present.join(';') !== names) return 'SignatureDoesNotMatch'
  if (header(request, 'x-acs-content-sha256') !== sha256(body)) return 'SignatureDoesNotMatch'
  const query = [...url.searchParams].map(([name, value]) => `${percent(name)}=${percent(value)}`).sort()
  const lines = present.map((name) => `${name}:${header(request, name).trim()}\n`).join('')
  const canonical = `POST\n${url.pathname}\n${query.join('&')}\n${lines}\n${names}\n${sha256(body)}`
  const expected = hmac(account.secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex')
  if (signature !== expected) return 'SignatureDoesNotMatch'
  if (isOld(Date.parse(header(request, 'x-acs-date')), now, 3 * FIVE_MINUTES)) return 'InvalidTimeStamp.Expired'
  if (isRepeated(nonces, header(request, 'x-acs-signature-nonce'))) return 'SignatureNonceUsed'
  const isSendSms = header(request, 'x-acs-action') === 'SendSms' && header(request, 'x-acs-version') === '2017-05-25'
  return isSendSms ? null : 'InvalidAction.NotFound'
}

const percent = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte)
      return /[A-Za-z0-9\-_.~]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

export function verifyTencent({ request, body, now }: Call, account: Account): string | null {
  const parts =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header(request, 'authorization'),
    )
  if (!parts) return 'AuthFailure.InvalidAuthorization'
  const [, id, day = '', names = '', signature] = parts
  if (id !== account.id) return 'AuthFailure.SecretIdNotFound'
  const timestamp = header(request, 'x-tc-timestamp')
  if (isOld(Number(timestamp) * 1000, now)) return 'AuthFailure.SignatureExpire'
  const lines = names.split(';').map((name) => `${name}:${header(request, name)}\n`)
  const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${day}/sms/tc3_request\n${sha256(canonical)}`
  const key = hmac(hmac(hmac(`TC3${account.secret}`, day), 'sms'), 'tc3_request')
  if (hmac(key, toSign).toString('hex') !== signature) return 'AuthFailure.SignatureFailure'
  if (!header(request, 'content-type').startsWith('application/json')) return 'UnsupportedProtocol'
  const isSendSms = header(request, 'x-tc-action') === 'SendSms' && header(request, 'x-tc-version') === '2021-01-11'
  return isSendSms && header(request, 'x-tc-region') !== '' ? null : 'InvalidAction'
}

export function verifyGateway({ request, body, now }: Call, account: Account, nonces: Set<string>): string | null {
  if (header(request, 'x-app-id') !== account.id) return 'unknown application'
  const [timestamp, nonce] = [header(request, 'x-timestamp'), header(request, 'x-nonce')]
  if (hmac(account.secret, `${timestamp}\n${nonce}\n${body}`).toString('hex') !== header(request, 'x-signature')) {
    return 'bad signature'
  }
  if (isOld(Number(timestamp) * 1000, now)) return 'too old'
  return isRepeated(nonces, nonce) ? 'repeated' : null
}
