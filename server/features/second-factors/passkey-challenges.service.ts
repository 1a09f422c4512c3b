import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { errors } from './second-factors.errors.ts'

/** What a challenge is for; one for a login proves nothing elsewhere. */
export type ChallengePurpose = 'login' | 'second-factor' | 'register' | 'reauthentication'
/** Who may answer it: the browser that requested it and, if already known, the person. */
export type ChallengeBinding = { purpose: ChallengePurpose; browser: string; userId?: string | undefined }

const CHALLENGE_SECONDS = 300
const NONCE_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 16

/**
 * Creates a self-contained challenge: a nonce, the time and a keyed hash over these and its purpose. Nothing is stored before it is
 * answered, so that a login page costs no write.
 */
export function createChallenge(platform: Platform, about: ChallengeBinding): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(NONCE_BYTES + TIME_BYTES)
  randomBytes(NONCE_BYTES).copy(head)
  head.writeUIntBE(platform.now().getTime(), NONCE_BYTES, TIME_BYTES)
  return Uint8Array.from(Buffer.concat([head, challengeMac(platform, head, about)]))
}

const challengeMac = (platform: Platform, head: Buffer, { purpose, browser, userId = '' }: ChallengeBinding): Buffer =>
  platform.secrets
    .mac(`passkey\n${purpose}\n${browser}\n${userId}\n${head.toString('base64url')}`)
    .subarray(0, MAC_BYTES)

/** Consumes a returned challenge: of parallel answers one counts. */
export async function consumeChallenge(ctx: Context, challenge: string, about: ChallengeBinding): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES) return false
  const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
  if (!timingSafeEqual(bytes.subarray(NONCE_BYTES + TIME_BYTES), challengeMac(ctx, head, about))) return false
  const age = ctx.now().getTime() - head.readUIntBE(NONCE_BYTES, TIME_BYTES)
  if (age < 0 || age > CHALLENGE_SECONDS * 1000) return false
  return (await ctx.state.increment('passkey-challenge', bytes.toString('base64url'), CHALLENGE_SECONDS * 2)) === 1
}

/**
 * The relying party id for passkeys of this installation; null where browsers don't support them: on plain http, or without a host name.
 */
export function relyingPartyId({ publicUrl }: Pick<Config, 'publicUrl'>): string | null {
  const { protocol, hostname } = new URL(publicUrl)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return hostname
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return protocol === 'https:' && isName ? hostname : null
}

/** @throws Refusal `passkey.unavailable` */
export function requireRelyingPartyId(ctx: Context): string {
  const rpId = relyingPartyId(ctx.config)
  if (rpId === null) throw errors['passkey.unavailable']()
  return rpId
}
