import { generateSecret, generateURI, verifySync } from 'otplib'

/** 160 bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

export const totpUri = (secret: string, issuer: string, account: string): string =>
  generateURI({ issuer, label: account, secret })

const STEP_SECONDS = 30

/** Typed as apps show it, in groups or full width. */
const digitsOf = (typed: string): string => typed.normalize('NFKC').replace(/[\s-]/g, '')

/**
 * The 30-second step whose code this is; null for a wrong one. One step before and after now is taken, for clocks that are a
 * little off: the caller sees to it that no step is taken twice.
 */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const token = digitsOf(typed)
  if (!/^\d{6}$/.test(token)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token, epoch, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
