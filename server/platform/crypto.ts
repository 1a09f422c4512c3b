import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomFillSync,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A supply of random bytes: requesting a few costs as much as requesting many. */
const randomPool = Buffer.alloc(2048)
let poolOffset = randomPool.length

/** A random byte that is used only once: it is wiped from the supply. */
function randomByte(): number {
  if (poolOffset === randomPool.length) {
    randomFillSync(randomPool)
    poolOffset = 0
  }
  const byte = randomPool[poolOffset] ?? 0
  randomPool[poolOffset] = 0
  poolOffset += 1
  return byte
}

/** A random string of `length` letters and digits, without modulo bias: 5.95 bits a character. */
export function randomToken(length: number): string {
  let token = ''
  while (token.length < length) {
    const byte = randomByte()
    // 248 is the largest multiple of 62 below 256: larger bytes would favour the first letters.
    if (byte < 248) token += ALPHABET[byte % 62]
  }
  return token
}

/** SHA-256 of a secret that is already random; the database stores this, never the secret. */
export const sha256 = (value: string): Buffer => hash('sha256', value, 'buffer')

/** Constant-time comparison of two strings of any length. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

export type SecretBox = {
  seal(plain: string): string
  open(sealed: string): string
  /** A keyed hash (32 bytes) for lookups of what must not be guessable from the database alone. */
  mac(text: string): Buffer
  /** Signs what is stored elsewhere (Ed25519, RFC 8032), as base64. */
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
  /** PEM, for verifying signatures outside this server. */
  publicKey(): string
}

/** Null of nothing, and of what was sealed with a key that is gone: what it was nobody knows. */
export function openIfReadable(secrets: SecretBox, sealed: string | null): string | null {
  try {
    return sealed === null ? null : secrets.open(sealed)
  } catch {
    return null
  }
}

// As key objects: bytes would be converted at every call, which costs three times what sealing a short text does.
const deriveKey = (root: string, purpose: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', root, '', purpose, 32)))
const keyId = (key: KeyObject) => createHash('sha256').update(key.export()).digest('hex').slice(0, 8)

/** PKCS #8 of an Ed25519 key (RFC 8410), up to its 32 bytes. */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

const deriveSigningKey = (root: string, purpose: string) =>
  createPrivateKey({
    key: Buffer.concat([ED25519_PREFIX, deriveKey(root, purpose).export()]),
    format: 'der',
    type: 'pkcs8',
  })

const NONCE_BYTES = 12

function randomNonce(): Buffer {
  const nonce = Buffer.allocUnsafe(NONCE_BYTES)
  for (let at = 0; at < NONCE_BYTES; at++) nonce[at] = randomByte()
  return nonce
}

/**
 * Encryption at rest: AES-256-GCM with a random nonce, written as `v1.<key id>.<base64url nonce+tag+text>`.
 * @param roots SECRET_KEY first, then former keys that may still decrypt old values.
 * @throws Error if a value was sealed with a key that is not among `roots`, or was altered.
 */
export function createSecretBox(roots: string[]): SecretBox {
  const keys = new Map(roots.map((root) => deriveKey(root, 'gatehouse at-rest v1')).map((key) => [keyId(key), key]))
  const [current] = keys.entries()
  if (!current) throw new Error('a secret box needs a key')
  const macKey = deriveKey(roots[0] ?? '', 'gatehouse lookup v1')
  let signingKeys: KeyObject[] | undefined
  const signers = () => {
    signingKeys ??= roots.map((root) => deriveSigningKey(root, 'gatehouse signatures v1'))
    return signingKeys
  }
  const signer = () => signers()[0] as KeyObject
  return {
    sign: (text) => sign(null, Buffer.from(text), signer()).toString('base64'),
    isSigned: (text, signature) =>
      signers().some((key) => verify(null, Buffer.from(text), createPublicKey(key), Buffer.from(signature, 'base64'))),
    publicKey: () => createPublicKey(signer()).export({ format: 'pem', type: 'spki' }).toString(),
    mac: (text) => createHmac('sha256', macKey).update(text).digest(),
    seal(plain) {
      const nonce = randomNonce()
      const cipher = createCipheriv('aes-256-gcm', current[1], nonce)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v1.${current[0]}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed) {
      const [, keyId, payload] = sealed.split('.')
      const key = keys.get(keyId ?? '')
      if (!key || !payload) throw new Error('sealed with an unknown key')
      const bytes = Buffer.from(payload, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
