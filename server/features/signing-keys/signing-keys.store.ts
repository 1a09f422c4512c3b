import type { JWK } from 'jose'
import type { Db } from '../../platform/db.ts'

export const ALGORITHMS = ['RS256', 'ES256'] as const
export type SigningAlgorithm = (typeof ALGORITHMS)[number]

export type SigningKeyRow = {
  kid: string
  alg: SigningAlgorithm
  publicJwk: JWK
  privateJwk: string
  createdAt: Date
  signsFrom: Date
  verifiesUntil: Date | null
}

/** Two algorithms and an overlap: a handful. A safety limit. */
const MAX_KEYS = 100

/** Every key that is listed at `now`, youngest first. */
export const listSigningKeys = (db: Db, now: Date) => db<SigningKeyRow[]>`
  select kid, alg, public_jwk, private_jwk, created_at,
    signs_from, verifies_until
  from signing_keys where verifies_until is null or verifies_until > ${now}
  order by signs_from desc, kid limit ${MAX_KEYS}`

export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db`
    insert into signing_keys (kid, alg, public_jwk, private_jwk, created_at, signs_from)
    values (${key.kid}, ${key.alg}, ${JSON.stringify(key.publicJwk)}::text::jsonb, ${key.privateJwk}, ${key.createdAt},
      ${key.signsFrom})`
}

/** Older keys are retired once what they signed has expired. */
export async function retireOlderKeys(db: Db, kid: string, alg: string, verifiesUntil: Date): Promise<void> {
  await db`
    update signing_keys set verifies_until = ${verifiesUntil}
    where alg = ${alg} and kid <> ${kid} and verifies_until is null`
}

export async function deleteRetiredKeys(db: Db, before: Date): Promise<void> {
  await db`delete from signing_keys where verifies_until < ${before}`
}
