import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A throw-away certificate authority, generated on the fly: as much of X.509 as a test of https needs. */
export type Authority = {
  /** PEM, for clients that should trust it. */
  certificate: string
  /** Key and certificate for a server at 127.0.0.1 and localhost. */
  issue(options?: { expired?: boolean }): { key: string; cert: string }
}

export function createAuthority(): Authority {
  const name = `Test authority ${randomBytes(4).toString('hex')}`
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = { name, key: keys.privateKey }
  const own = certificate({ issuer, subject: name, publicKey: keys.publicKey, extension: CA_EXTENSION, expired: false })
  return {
    certificate: own,
    issue({ expired = false } = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const cert = certificate({ issuer, subject: 'localhost', publicKey, extension: NAMES_EXTENSION, expired })
      return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
    },
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const TRUE = der(0x01, Buffer.from([0xff]))
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))

/** basicConstraints, critical: CA. */
const CA_EXTENSION = sequence(oid('551d13'), TRUE, der(0x04, sequence(TRUE)))
/** subjectAltName: DNS:localhost, IP:127.0.0.1. */
const NAMES_EXTENSION = sequence(
  oid('551d11'),
  der(0x04, sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))),
)

const commonName = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))

const time = (at: number) => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

type Request = {
  issuer: { name: string; key: KeyObject }
  subject: string
  publicKey: KeyObject
  extension: Buffer
  expired: boolean
}

const DAY = 86_400_000

function certificate({ issuer, subject, publicKey, extension, expired }: Request): string {
  const info = publicKey.export({ type: 'spki', format: 'der' })
  const serial = createHash('sha256').update(info).digest().subarray(0, 15)
  const until = Date.now() + (expired ? -1 : 30) * DAY
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), serial])),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    sequence(time(Date.now() - 30 * DAY), time(until)),
    commonName(subject),
    info,
    der(0xa3, sequence(extension)),
  )
  const signed = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, issuer.key)))
  return `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
