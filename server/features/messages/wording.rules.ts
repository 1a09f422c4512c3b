/**
 * Every message there is: `code.<purpose>` carries a verification code, `link.<purpose>` a way into an account, `notice.<event>` tells
 * what has happened.
 */
export const TEMPLATES = [
  'code.login',
  'code.activation',
  'code.password-recovery',
  'code.identity-proof',
  'code.bind-phone',
  'code.bind-mailbox',
  'link.account-reset',
  'notice.password-changed',
  'notice.password-recovered',
  'notice.phone-changed',
  'notice.mailbox-changed',
  'notice.alias-changed',
  'notice.security-questions-changed',
  'notice.third-party-bound',
  'notice.third-party-unbound',
  'notice.second-factor-added',
  'notice.second-factor-removed',
  'notice.recovery-code-used',
  'notice.recovery-codes-renewed',
  'notice.account-activated',
  'notice.new-device',
  'notice.rule-login',
  'notice.dormant',
  'notice.dormant-soon',
  'notice.dormant-lock-soon',
  'notice.dormancy-held',
  'test',
] as const
export type TemplateName = (typeof TEMPLATES)[number]
