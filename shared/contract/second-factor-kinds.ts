/** How the second step of a login can be proved; `device`: a trusted browser. */
export const SECOND_FACTORS = ['totp', 'passkey', 'recovery', 'device'] as const
