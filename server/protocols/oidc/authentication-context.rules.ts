import type { SsoSession } from '../../features/sessions/index.ts'

/** Authentication method references (RFC 8176) of each login type; those of other systems say nothing that we could vouch for. */
const METHOD_REFERENCES: Record<string, string[]> = { user: ['pwd'], captcha: ['otp'], passkey: ['hwk', 'user'] }
const FACTOR_REFERENCES: Record<string, string[]> = { totp: ['otp'], recovery: ['otp'], passkey: ['hwk'] }

/** Without and with a second factor; a browser that was trusted earlier is no proof of today. */
export const ACR_VALUES = ['1', '2']

/** How a session was opened, as ID tokens say it. */
export function authenticationContext({ authType, secondFactor }: Pick<SsoSession, 'authType' | 'secondFactor'>) {
  const factor = secondFactor === null ? [] : (FACTOR_REFERENCES[secondFactor] ?? [])
  const amr = [...new Set([...(METHOD_REFERENCES[authType] ?? []), ...factor, ...(factor.length > 0 ? ['mfa'] : [])])]
  return { acr: factor.length > 0 ? '2' : '1', ...(amr.length > 0 && { amr }) }
}
