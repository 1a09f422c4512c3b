import { textToSign, WEB_APP_KEY } from '#shared/contract/signature.ts'

const encoder = new TextEncoder()

/** A random v4 UUID. `crypto.randomUUID` is missing on plain http off localhost, which is common on intranets. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = toHex(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The `sign` header: upper-case hex HMAC-SHA-256 over the text of decisions section 4. `path` as sent. */
export async function signRequest(
  timestamp: string,
  method: string,
  path: string,
  query: URLSearchParams,
  body: string,
): Promise<string> {
  const text = encoder.encode(textToSign(timestamp, method, path, query, body))
  return toHex(await hmacSha256(encoder.encode(WEB_APP_KEY), text)).toUpperCase()
}

async function hmacSha256(key: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (!crypto.subtle) return softwareHmac(key, text)
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, text))
}

/** Browsers hide `crypto.subtle` outside secure contexts. */
export async function softwareHmac(key: Uint8Array, text: Uint8Array): Promise<Uint8Array> {
  const [{ hmac }, { sha256 }] = await Promise.all([import('@noble/hashes/hmac.js'), import('@noble/hashes/sha2.js')])
  return hmac(sha256, key, text)
}

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
