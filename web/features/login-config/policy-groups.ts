import type { PolicyKey } from '#shared/contract/login-config.ts'

/** The login rules in an administrator's terms; each group has the message `login-config.group.<name>`. */
export const POLICY_GROUPS = [
  {
    name: 'password',
    keys: [
      'passwordMinLength',
      'passwordMaxLength',
      'passwordLevel',
      'passwordHistory',
      'passwordMaxAgeDays',
      'passwordWarnDays',
      'passwordContext',
      'passwordRules',
      'passwordBlockWords',
    ],
  },
  { name: 'lock', keys: ['lockAfterFailures', 'failureWindowMinutes', 'lockMinutes', 'lockMode', 'lockMostMinutes'] },
  { name: 'captcha', keys: ['captchaOn', 'captchaAfterFailures', 'addressFailures', 'captchaKind'] },
  {
    name: 'session',
    keys: [
      'sessionIdleMinutes',
      'sessionMaxHours',
      'switchOfExpirationLogout',
      'expirationMinutes',
      'mostSessions',
      'onMoreSessions',
      'serviceTicketSeconds',
    ],
  },
  {
    name: 'factor',
    keys: [
      'secondFactorSuperUsers',
      'secondFactorOffCampus',
      'secondFactorCategories',
      'secondFactorApplications',
      'trustedBrowserDays',
    ],
  },
  { name: 'methods', keys: ['loginTypes', 'restTicketAddresses'] },
  { name: 'remembered', keys: ['rememberMeLongSecond'] },
  {
    name: 'dormancy',
    keys: ['dormantAfterDays', 'dormantWarnDays', 'dormantLockAfterDays', 'dormantExemptCategories'],
  },
  { name: 'records', keys: ['retention'] },
] as const satisfies readonly { name: string; keys: readonly PolicyKey[] }[]

export type PolicyGroup = (typeof POLICY_GROUPS)[number]
