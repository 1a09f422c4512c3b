import { timingSafeEqual } from 'node:crypto'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { verifyPassword } from '../../features/passwords/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { currentRequest } from './oidc-request.service.ts'

/** Digests of secrets that fitted a stored hash, by that hash: a client authenticates with every call, a password hash would cost more than the call. */
const verifiedDigests = new Map<string, Buffer>()
const MAX_VERIFIED_DIGESTS = 5000

/**
 * Tries that may cost a password hash, for each client, network and minute and on each node, until the client's right secret has
 * been seen here: by network, so that nobody's guessing shuts the client itself out.
 */
const MAX_TRIES_PER_MINUTE = 30
const MAX_TRACKED_NETWORKS = 10_000
const tries = new Map<string, { since: number; count: number }>()

/**
 * Does this secret fit the stored hash? Once the right one has been seen, every comparison is one digest in constant time, so
 * that wrong secrets can't keep the hashing pool busy. For a client that does not exist nothing is hashed: which ones exist is no
 * secret, every address of a login names one and the authorization end point says so.
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
 * Does this `Authorization` header carry a secret that was seen to be right on this node? No hash is computed and no database is
 * asked, so that it serves for letting an application through where the guesses of others behind its address are refused.
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
