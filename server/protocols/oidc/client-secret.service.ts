import { timingSafeEqual } from 'node:crypto'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { verifyPassword } from '../../features/passwords/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { currentRequest } from './oidc-request.service.ts'

/**
 * Digests of secrets that matched a stored hash, by that hash: a client authenticates with every call, and a password hash would cost more
 * than the call.
 */
const verifiedDigests = new Map<string, Buffer>()
const MAX_VERIFIED_DIGESTS = 5000

/**
 * Attempts that may cost a password hash, per client, network, minute and node, until the client's correct secret has been seen here: per
 * network, so that guessing by others doesn't shut the client out.
 */
const MAX_TRIES_PER_MINUTE = 30
const MAX_TRACKED_NETWORKS = 10_000
const tries = new Map<string, { since: number; count: number }>()

/**
 * Does this secret match the stored hash? Once the correct one has been seen, every comparison is one digest in constant time, so that
 * wrong secrets can't keep the hashing pool busy. For an unknown client nothing is hashed: which ones exist is no secret, as every login
 * URL names one and the authorization endpoint reveals it.
 */
export async function verifyClientSecret(platform: Platform, hash: string, secret: string): Promise<boolean> {
  const digest = sha256(secret)
  const known = verifiedDigests.get(hash)
  if (known) return timingSafeEqual(known, digest)
  const network = `${hash} ${networkOf(currentRequest().ctx.client.ip)}`
  if (!countTry(network, platform.now().getTime())) return false
  const { right } = await verifyPassword(platform, secret, hash)
  if (!right) return false
  tries.delete(network)
  if (verifiedDigests.size >= MAX_VERIFIED_DIGESTS) verifiedDigests.delete(verifiedDigests.keys().next().value ?? '')
  verifiedDigests.set(hash, digest)
  return true
}

/**
 * Does this `Authorization` header contain a secret already verified on this node? Needs no hash and no database, so it can exempt an
 * application from limits caused by guesses from its address.
 */
export async function hasVerifiedSecret(platform: Platform, authorization: string | undefined): Promise<boolean> {
  const [, encoded] = /^basic ([\w+/=]{1,2000})$/i.exec(authorization ?? '') ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return false
  const application = await findApplicationByClientId(platform, formDecoded(id))
  const known = verifiedDigests.get(application?.client?.secretHash ?? '')
  return known !== undefined && timingSafeEqual(known, sha256(formDecoded(secret)))
}

/** RFC 6749, 2.3.1: both halves are form-encoded. */
const formDecoded = (text: string): string => new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''

/** Whoever has one IPv6 address has 2^64 of them. */
const networkOf = (ip: string): string => (ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip)

function countTry(network: string, now: number): boolean {
  const before = tries.get(network)
  const current = before && now - before.since < 60_000 ? before : { since: now, count: 0 }
  current.count += 1
  if (!before && tries.size >= MAX_TRACKED_NETWORKS) tries.delete(tries.keys().next().value ?? '')
  tries.set(network, current)
  return current.count <= MAX_TRIES_PER_MINUTE
}
