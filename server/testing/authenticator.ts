import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Options = {
  origin: string
  /** Verifies its user by fingerprint, face or PIN. */
  verifiesUser?: boolean
  /** Counts its uses; many synced passkeys never do. */
  counts?: boolean
}

type CeremonyOptions = { challenge: string; origin?: string; rpId?: string; verified?: boolean; counter?: number }

/** A software authenticator with one passkey: what a browser would send for it. */
export type Authenticator = {
  id: string
  register(options: { challenge: string; user: { id: string } }, wrong?: Partial<CeremonyOptions>): object
  answer(asked: CeremonyOptions): string
}

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

export function createAuthenticator({ origin, verifiesUser = true, counts = true }: Options): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  let counter = 0
  let userHandle: string | null = null
  const data = (asked: Partial<CeremonyOptions>, extra: Uint8Array = new Uint8Array()) => {
    counter += counts ? 1 : 0
    const head = Buffer.alloc(37)
    sha(asked.rpId ?? new URL(origin).hostname).copy(head)
    const verified = (asked.verified ?? verifiesUser) ? VERIFIED : 0
    head.writeUInt8(PRESENT | verified | (extra.length > 0 ? ATTESTED : 0), 32)
    head.writeUInt32BE(asked.counter ?? counter, 33)
    return Buffer.concat([head, extra])
  }
  const client = (type: string, { challenge, origin: other = origin }: CeremonyOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: other, crossOrigin: false }))
  const common = { id: b64(credential), rawId: b64(credential), type: 'public-key', clientExtensionResults: {} }
  return {
    id: common.id,
    register({ challenge, user }, wrong = {}) {
      userHandle = user.id
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        coseKey(publicKey),
      ])
      const authData = new Uint8Array(data(wrong, attested))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const clientDataJSON = b64(client('webauthn.create', { challenge, ...wrong }))
      const attestationObject = b64(isoCBOR.encode(attestation as never))
      return { ...common, response: { clientDataJSON, attestationObject, transports: ['internal'] } }
    },
    answer(asked) {
      const authenticatorData = data(asked)
      const clientData = client('webauthn.get', asked)
      const signature = createSign('SHA256')
        .update(Buffer.concat([authenticatorData, sha(clientData)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: b64(clientData),
        authenticatorData: b64(authenticatorData),
        signature: b64(signature),
        userHandle,
      }
      return JSON.stringify({ ...common, response })
    },
  }
}

/** A public key as authenticators encode it (RFC 9053): kty EC2, alg ES256, curve P-256. */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinates: [number, Uint8Array][] = [
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]
  return isoCBOR.encode(new Map<number, number | Uint8Array>([[1, 2], [3, -7], [-1, 1], ...coordinates]) as never)
}
