import { generateSecret, generateURI, verifySync } from 'otplib'

/** 160 bits, as RFC 4226 recommends. */
export const generateTotpSecret = (): string => generateSecret({ length: 20 })

export const totpUri = (secret: string, issuer: string, account: string): string =>
  generateURI({ issuer, label: account, secret })

const STEP_SECONDS = 30

/** The six digits, typed as apps show them, in groups or full width; null for anything else. */
export function parseTotpCode(typed: string): string | null {
  const digits = typed.normalize('NFKC').replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/**
 * The 30-second step of this code; null for a wrong one. One step before and after now is accepted, for clocks that are slightly off: the
 * caller must prevent that a step is used twice.
 */
export function findTotpStep(secret: string, typed: string, now: Date): number | null {
  const token = parseTotpCode(typed)
  if (token === null) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token, epoch, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
