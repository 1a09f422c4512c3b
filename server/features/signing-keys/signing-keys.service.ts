import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { DAY_MS } from '#shared/rules/durations.ts'
import { withAdvisoryLock } from '../../platform/advisory-lock.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import {
  ALGORITHMS,
  insertSigningKey,
  listSigningKeys,
  retireOlderKeys,
  type SigningAlgorithm,
  type SigningKeyRow,
} from './signing-keys.store.ts'

const TOPIC = 'signing-keys'
/** Any constant: one of several nodes creates the first keys. */
const LOCK = 7_402_131

/** The current signing keys, and all that verify. */
export type KeySet = {
  /** Private keys, the current one of each algorithm first. */
  keys: JWK[]
  /** When a key that is already listed takes over. */
  changesAt: Date | null
}

/** The keys at this moment; created if there are none. Cached on every node until a rotation, and until a listed key takes over. */
export async function getSigningKeys(platform: Platform): Promise<KeySet> {
  const now = platform.now()
  const rows = await platform.cache.read(TOPIC, 'all', () => loadKeys(platform))
  const known = keySets.get(rows)
  if (known && known.from <= now && now < known.until) return known.keySet
  const keySet = toKeySet(rows, now)
  keySets.set(rows, { keySet, from: now, until: nextChange(rows, now) })
  return keySet
}

/** The set for some rows stays one object until a key starts to sign or stops to verify. */
const keySets = new WeakMap<readonly PlainKey[], { keySet: KeySet; from: Date; until: Date }>()

function nextChange(rows: readonly PlainKey[], now: Date): Date {
  const changes = rows.flatMap(({ signsFrom, verifiesUntil }) => [signsFrom, verifiesUntil ?? now])
  const next = Math.min(...changes.map((at) => at.getTime()).filter((at) => at > now.getTime()))
  // `cache.read` loads them again before that.
  return new Date(Math.min(next, now.getTime() + DAY_MS))
}

type PlainKey = Omit<SigningKeyRow, 'privateJwk'> & { privateJwk: JWK }

async function loadKeys(platform: Platform): Promise<PlainKey[]> {
  const now = platform.now()
  const rows = await listSigningKeys(platform.sql, now)
  const missing = ALGORITHMS.filter((alg) => !rows.some((row) => row.alg === alg))
  const complete = missing.length === 0 ? rows : await createFirstKeys(platform)
  return complete.map((row) => ({ ...row, privateJwk: JSON.parse(platform.secrets.open(row.privateJwk)) as JWK }))
}

const createFirstKeys = (platform: Platform): Promise<readonly SigningKeyRow[]> =>
  withAdvisoryLock(platform.sql, LOCK, async () => {
    const { sql } = platform
    const now = platform.now()
    const existing = await listSigningKeys(sql, now)
    for (const alg of ALGORITHMS) {
      if (!existing.some((row) => row.alg === alg)) await insertSigningKey(sql, await generateKey(platform, alg, now))
    }
    return await listSigningKeys(sql, now)
  })

async function generateKey(platform: Platform, alg: SigningAlgorithm, signsFrom: Date): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const named = { kid, alg, use: 'sig' }
  const privateJwk = platform.secrets.seal(JSON.stringify({ ...(await exportJWK(privateKey)), ...named }))
  const createdAt = platform.now()
  return { kid, alg, publicJwk: { ...publicJwk, ...named }, privateJwk, createdAt, signsFrom, verifiesUntil: null }
}

function toKeySet(rows: readonly PlainKey[], now: Date): KeySet {
  const listed = rows.filter(({ verifiesUntil }) => !verifiesUntil || verifiesUntil > now)
  const ready = listed.filter(({ signsFrom }) => signsFrom <= now)
  const waiting = listed.filter(({ signsFrom }) => signsFrom > now)
  const changes = waiting.map(({ signsFrom }) => signsFrom.getTime())
  return {
    keys: [...ready, ...waiting].map(({ privateJwk }) => privateJwk),
    changesAt: changes.length > 0 ? new Date(Math.min(...changes)) : null,
  }
}

/** ID tokens are valid for an hour; as hints at a logout they are accepted much longer. */
const OVERLAP_DAYS = 30

/**
 * Creates new keys for both algorithms. The old ones stop signing at `signsFrom` and verify for 30 days more.
 * @param signsFrom if later than now: the new keys are listed at once and sign from then on.
 * @returns the ids of the new keys.
 */
export async function rotateSigningKeys(ctx: Context, signsFrom: Date, actor?: string): Promise<string[]> {
  const created = await Promise.all(ALGORITHMS.map((alg) => generateKey(ctx, alg, signsFrom)))
  const until = new Date(signsFrom.getTime() + OVERLAP_DAYS * DAY_MS)
  const after = { kids: created.map(({ kid }) => kid), signsFrom }
  const audit = { action: 'signing-keys.rotate', targetKind: 'signing-keys', targetId: 'all', after }
  const replace = async (inner: Context) => {
    for (const key of created) {
      await insertSigningKey(inner.db, key)
      await retireOlderKeys(inner.db, key.kid, key.alg, until)
    }
    await recordAudit(inner, { ...audit, ...(actor && { actor }) })
    await inner.cache.invalidate(inner.db, TOPIC)
  }
  await withAdvisoryLock(ctx.sql, LOCK, () => transaction(ctx, replace))
  return after.kids
}

/** Signs claims as a JWT with the key that is current for `alg`. */
export async function signJwt(
  platform: Platform,
  claims: Record<string, unknown>,
  { alg, typ }: { alg: SigningAlgorithm; typ: string },
): Promise<string> {
  const { keys } = await getSigningKeys(platform)
  const key = keys.find((one) => one.alg === alg)
  if (!key?.kid) throw new Error(`no key signs ${alg}`)
  return await new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg, typ, kid: key.kid })
    .sign(key)
}
