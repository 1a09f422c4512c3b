import type { SsoSession } from '../../features/sessions/index.ts'

/** Authentication method references (RFC 8176) of each login type; those of identity providers can't be vouched for. */
const METHOD_REFERENCES: Record<string, string[]> = { user: ['pwd'], captcha: ['otp'], passkey: ['hwk', 'user'] }
const FACTOR_REFERENCES: Record<string, string[]> = { totp: ['otp'], recovery: ['otp'], passkey: ['hwk'] }

/** Without and with a second factor; a trusted browser does not count as one. */
export const ACR_VALUES = ['1', '2']

/** How a session was opened, as stated in ID tokens. */
export function authenticationContext({ authType, secondFactor }: Pick<SsoSession, 'authType' | 'secondFactor'>) {
  const factor = secondFactor === null ? [] : (FACTOR_REFERENCES[secondFactor] ?? [])
  const amr = [...new Set([...(METHOD_REFERENCES[authType] ?? []), ...factor, ...(factor.length > 0 ? ['mfa'] : [])])]
  return { acr: factor.length > 0 ? '2' : '1', ...(amr.length > 0 && { amr }) }
}
