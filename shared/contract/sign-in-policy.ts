import { z } from 'zod'
import { isBlockWord, PASSWORD_CONTEXT } from '../rules/password-strength.ts'

const Switch = z.enum(['0', '1'])
const PasswordContext = z.enum(PASSWORD_CONTEXT)

const demand = (min: number, max: number) => z.number().int().min(min).max(max).nullable().default(null)

/** Stricter password rules for some people; null: as for everybody. */
export const PasswordDemand = z
  .strictObject({
    /** Codes of user categories. */
    categories: z.array(z.string().min(1).max(100)).max(1000).default([]),
    /** Super users and administrators of some organisations. */
    administrators: z.boolean().default(false),
    level: demand(1, 4),
    minLength: demand(6, 64),
    history: demand(0, 24),
    maxAgeDays: demand(1, 730),
  })
  .refine(({ categories, administrators }) => administrators || categories.length > 0, 'names nobody')
  .refine(
    ({ level, minLength, history, maxAgeDays }) => [level, minLength, history, maxAgeDays].some((one) => one !== null),
    'demands nothing',
  )
const retentionDays = z.number().int().min(180).max(3650)

/** Retention in days for all kinds of records; a month is deleted as a whole once all of it is older. */
const RecordsKept = z.strictObject({ login: retentionDays, visit: retentionDays, audit: retentionDays })

export type PasswordDemand = z.infer<typeof PasswordDemand>

/** The default, also used by a page while its settings can't be read. */
export const DEFAULT_EXPIRATION_MINUTES = 30

/** The login configuration: settings document `login`, and `settings.login` of the bootstrap file. */
export const SignInPolicy = z.strictObject({
  /** '1': an inactive portal page logs out after `expirationMinutes`. */
  switchOfExpirationLogout: Switch.default('1'),
  expirationMinutes: z.number().int().min(2).max(1440).default(DEFAULT_EXPIRATION_MINUTES),
  /** Lifetime of a remembered login in seconds; 0 hides the option. CAS allows three months at most. */
  rememberMeLongSecond: z.number().int().min(0).max(7_776_000).default(0),
  sessionIdleMinutes: z.number().int().min(5).max(1440).default(120),
  sessionMaxHours: z.number().int().min(1).max(168).default(8),
  /** Concurrent logins per person; 0: unlimited. */
  mostSessions: z.number().int().min(0).max(20).default(0),
  /** Above the limit: ends the login unused for longest, or refuses the new one until another has ended. */
  onMoreSessions: z.enum(['end-oldest', 'refuse']).default('end-oldest'),
  /** The login types of the login page: account and password, a code sent to a bound phone or email address. */
  loginTypes: z
    .array(z.enum(['user', 'captcha']))
    .min(1)
    .default(['user', 'captcha']),
  failureWindowMinutes: z.number().int().min(1).max(1440).default(15),
  /** Failures of one person or name before a captcha is demanded; 0: at every attempt, shown from the start. */
  captchaAfterFailures: z.number().int().min(0).max(1000).default(3),
  /**
   * Where a captcha may be demanded: for a recovery always, elsewhere on risk. Access rules may demand one at a login
   * in any case.
   */
  captchaOn: z
    .array(z.enum(['login', 'recovery', 'code', 'activation']))
    .max(4)
    .default(['login', 'recovery', 'code', 'activation']),
  captchaKind: z.enum(['proof-of-work', 'picture', 'slider']).default('proof-of-work'),
  lockAfterFailures: z.number().int().min(1).max(1000).default(5),
  lockMinutes: z.number().int().min(1).max(1440).default(15),
  /**
   * `growing`: each further lock without a login in between is twice as long as the previous one, up to
   * `lockMostMinutes`.
   */
  lockMode: z.enum(['fixed', 'growing']).default('fixed'),
  lockMostMinutes: z.number().int().min(1).max(10_080).default(1440),
  /** Failures from one address, over different names, before it must solve a captcha. */
  addressFailures: z.number().int().min(1).max(100_000).default(20),
  serviceTicketSeconds: z.number().int().min(2).max(300).default(10),
  passwordMinLength: z.number().int().min(6).max(64).default(8),
  passwordMaxLength: z.number().int().min(16).max(128).default(64),
  /** 1 digits only; 2 letters and digits; 3 special characters too; 4 upper and lower case too. */
  passwordLevel: z.number().int().min(1).max(4).default(3),
  passwordHistory: z.number().int().min(0).max(24).default(5),
  /** Days after which a password must be changed at the next login with it; 0: never. */
  passwordMaxAgeDays: z.number().int().min(0).max(730).default(0),
  /** Days of advance warning in the portal; 0: none. */
  passwordWarnDays: z.number().int().min(0).max(90).default(14),
  /** Data of the person or the institution that a new password may not contain. */
  passwordContext: z
    .array(PasswordContext)
    .max(5)
    .default([...PASSWORD_CONTEXT]),
  /** Stricter password rules for some people; if several apply, the strictest value of each field counts. */
  passwordRules: z.array(PasswordDemand).max(50).default([]),
  /** The institution's own list besides the bundled one: words that no new password may contain, however written. */
  passwordBlockWords: z
    .array(z.string().trim().max(64).refine(isBlockWord, 'at least two letters or digits'))
    .max(1000)
    .default([]),
  /** Days without a login after which a person is dormant; 0: never. */
  dormantAfterDays: z.number().int().min(0).max(3650).default(180),
  /** Days of advance notice before dormancy and before the lock; empty: none. */
  dormantWarnDays: z.array(z.number().int().min(1).max(365)).max(5).default([14, 3]),
  /** Days of dormancy after which a person is locked; 0: never. */
  dormantLockAfterDays: z.number().int().min(0).max(3650).default(0),
  /** Codes of user categories that never become dormant or locked for it. */
  dormantExemptCategories: z.array(z.string().min(1).max(100)).max(1000).default([]),
  /**
   * Who needs a second factor; people with an authenticator app are asked for it in any case. Administrators of some
   * organisations count as super users.
   */
  secondFactorSuperUsers: z.boolean().default(true),
  secondFactorOffCampus: z.boolean().default(false),
  /** Codes of user categories. */
  secondFactorCategories: z.array(z.string().min(1).max(100)).max(1000).default([]),
  /** `appId`s of applications that require a second factor. */
  secondFactorApplications: z.array(z.string().min(1).max(100)).max(10_000).default([]),
  /** Days that a browser can be trusted; 0 hides the option. */
  trustedBrowserDays: z.number().int().min(0).max(90).default(30),
  retention: RecordsKept.default({ login: 400, visit: 400, audit: 400 }),
  /** The CAS REST ticket API: allowed addresses; empty: off. */
  restTicketAddresses: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(100)
    .default([]),
})
export type SignInPolicy = z.infer<typeof SignInPolicy>
