import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../platform/config.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { errors } from './second-factors.errors.ts'

/** What a challenge was made for; one for a login proves nothing anywhere else. */
export type Purpose = 'login' | 'second-factor' | 'register' | 'proof'
/** Who may answer it: the browser that asked, and where it is known already, the person. */
export type ChallengeFor = { purpose: Purpose; browser: string; userId?: string | undefined }

const SECONDS = 300
const NONCE = 16
const TIME = 6
const MAC = 16

/**
 * Makes a challenge that proves itself: a nonce, the time and a keyed hash over these and what it is for. Nothing is stored before
 * it is answered, so that a login page costs no write.
 */
export function newChallenge(platform: Platform, about: ChallengeFor): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(NONCE + TIME)
  randomBytes(NONCE).copy(head)
  head.writeUIntBE(platform.now().getTime(), NONCE, TIME)
  return Uint8Array.from(Buffer.concat([head, macOf(platform, head, about)]))
}

const macOf = (platform: Platform, head: Buffer, { purpose, browser, userId = '' }: ChallengeFor): Buffer =>
  platform.secrets.mac(`passkey\n${purpose}\n${browser}\n${userId}\n${head.toString('base64url')}`).subarray(0, MAC)

/** Takes a challenge that came back, once: of parallel answers one counts. */
export async function takeChallenge(ctx: Context, challenge: string, about: ChallengeFor): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== NONCE + TIME + MAC) return false
  const head = bytes.subarray(0, NONCE + TIME)
  if (!timingSafeEqual(bytes.subarray(NONCE + TIME), macOf(ctx, head, about))) return false
  const age = ctx.now().getTime() - head.readUIntBE(NONCE, TIME)
  if (age < 0 || age > SECONDS * 1000) return false
  return (await ctx.state.count('passkey-challenge', bytes.toString('base64url'), SECONDS * 2)) === 1
}

/**
 * The name that passkeys of this installation belong to; null where browsers allow none: on plain http, or without a host name.
 */
export function relyingPartyId({ publicUrl }: Pick<Config, 'publicUrl'>): string | null {
  const { protocol, hostname } = new URL(publicUrl)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return hostname
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return protocol === 'https:' && isName ? hostname : null
}

/** @throws Refusal `passkey.unavailable` */
export function demandRelyingPartyId(ctx: Context): string {
  const rpId = relyingPartyId(ctx.config)
  if (rpId === null) throw errors['passkey.unavailable']()
  return rpId
}
