/** The second factors of a login; `device`: a trusted browser. */
export const SECOND_FACTORS = ['totp', 'passkey', 'recovery', 'device'] as const
