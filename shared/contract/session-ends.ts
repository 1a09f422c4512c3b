/** Why a login session ended, each with a text `log.session-end.…`. */
export const SESSION_END_REASONS = [
  'account',
  'disowned',
  'ended-by-owner',
  'expired',
  'idle',
  'kicked-out',
  'limited',
  'logout',
  'newer-login',
  'password-changed',
  'password-reset',
  'refused',
  'replaced',
  'second-factor-reset',
] as const
export type SessionEndReason = (typeof SESSION_END_REASONS)[number]
