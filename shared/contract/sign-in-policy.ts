import { z } from 'zod'
import { isBlockWord, PASSWORD_CONTEXT } from '../rules/password-strength.ts'

const Switch = z.enum(['0', '1'])
const PasswordContext = z.enum(PASSWORD_CONTEXT)

const demand = (min: number, max: number) => z.number().int().min(min).max(max).nullable().default(null)

/** What the passwords of some people must be besides; null: nothing more than everybody's. */
export const PasswordDemand = z
  .strictObject({
    /** Codes of user categories. */
    categories: z.array(z.string().min(1).max(100)).max(1000).default([]),
    /** Super users, and whoever administers some organisations. */
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

/** Days that records are kept, by kind, all of which are given; a month goes as a whole, once all of it is older. */
const RecordsKept = z.strictObject({ login: retentionDays, visit: retentionDays, audit: retentionDays })

export type PasswordDemand = z.infer<typeof PasswordDemand>

/** What holds where no other time is set, and in a page while its settings can't be read. */
export const DEFAULT_EXPIRATION_MINUTES = 30

/** The login configuration: settings document `login`, and `settings.login` of the bootstrap file. */
export const SignInPolicy = z.strictObject({
  /** '1': a portal page without activity logs out after `expirationMinutes`. */
  switchOfExpirationLogout: Switch.default('1'),
  expirationMinutes: z.number().int().min(2).max(1440).default(DEFAULT_EXPIRATION_MINUTES),
  /** Lifetime of a remembered login in seconds; 0 hides the choice. CAS allows three months at most. */
  rememberMeLongSecond: z.number().int().min(0).max(7_776_000).default(0),
  sessionIdleMinutes: z.number().int().min(5).max(1440).default(120),
  sessionMaxHours: z.number().int().min(1).max(168).default(8),
  /** Logins that one person has at the same time; 0: as many as they like. */
  mostSessions: z.number().int().min(0).max(20).default(0),
  /** With one more: the login that was unused for longest ends, or the new one is refused until one was ended. */
  onMoreSessions: z.enum(['end-oldest', 'refuse']).default('end-oldest'),
  /** What can be typed on the login page: account and password, a code sent to a bound phone or mailbox. */
  loginTypes: z
    .array(z.enum(['user', 'captcha']))
    .min(1)
    .default(['user', 'captcha']),
  failureWindowMinutes: z.number().int().min(1).max(1440).default(15),
  /** Failures of one person or name before a captcha is asked for; 0: with each try, and the login page shows it at first sight. */
  captchaAfterFailures: z.number().int().min(0).max(1000).default(3),
  /** Where a captcha is asked for: for a recovery always, elsewhere on risk. An access rule asks for one at a login in any case. */
  captchaOn: z
    .array(z.enum(['login', 'recovery', 'code', 'activation']))
    .max(4)
    .default(['login', 'recovery', 'code', 'activation']),
  captchaKind: z.enum(['proof-of-work', 'picture', 'slider']).default('proof-of-work'),
  lockAfterFailures: z.number().int().min(1).max(1000).default(5),
  lockMinutes: z.number().int().min(1).max(1440).default(15),
  /** `growing`: each further lock without a login between lasts twice as long as the one before, up to `lockMostMinutes`. */
  lockMode: z.enum(['fixed', 'growing']).default('fixed'),
  lockMostMinutes: z.number().int().min(1).max(10_080).default(1440),
  /** Failures from one address, over different names, before that address must solve a captcha. */
  addressFailures: z.number().int().min(1).max(100_000).default(20),
  serviceTicketSeconds: z.number().int().min(2).max(300).default(10),
  passwordMinLength: z.number().int().min(6).max(64).default(8),
  passwordMaxLength: z.number().int().min(16).max(128).default(64),
  /** 1 digits only; 2 letters and digits; 3 and special characters; 4 upper and lower case too. */
  passwordLevel: z.number().int().min(1).max(4).default(3),
  passwordHistory: z.number().int().min(0).max(24).default(5),
  /** Days after which a password must be changed at the next login with it, counted from when it was set; 0: never. */
  passwordMaxAgeDays: z.number().int().min(0).max(730).default(0),
  /** So many days before that the portal says so; 0: it doesn't. */
  passwordWarnDays: z.number().int().min(0).max(90).default(14),
  /** What of the person or of the institution no new password may contain. */
  passwordContext: z
    .array(PasswordContext)
    .max(5)
    .default([...PASSWORD_CONTEXT]),
  /** Demands on the passwords of some people; of those that are made on somebody, the strictest of each field holds. */
  passwordRules: z.array(PasswordDemand).max(50).default([]),
  /** The institution's own list beside the bundled one: what no new password may contain, however it is written. */
  passwordBlockWords: z
    .array(z.string().trim().max(64).refine(isBlockWord, 'at least two letters or digits'))
    .max(1000)
    .default([]),
  /** Days without a login, after which somebody is dormant; 0: nobody becomes so. */
  dormantAfterDays: z.number().int().min(0).max(3650).default(180),
  /** So many days before somebody becomes dormant, and before the lock, they are told; empty: nobody is. */
  dormantWarnDays: z.array(z.number().int().min(1).max(365)).max(5).default([14, 3]),
  /** Days as dormant, after which somebody is locked; 0: nobody is. */
  dormantLockAfterDays: z.number().int().min(0).max(3650).default(0),
  /** Codes of user categories of whom nobody becomes dormant or is locked for it. */
  dormantExemptCategories: z.array(z.string().min(1).max(100)).max(1000).default([]),
  /**
   * Who must prove a second factor; whoever has set up an authenticator app is asked for it in any case. Whoever administers some
   * organisations counts as the super users do.
   */
  secondFactorSuperUsers: z.boolean().default(true),
  secondFactorOffCampus: z.boolean().default(false),
  /** Codes of user categories. */
  secondFactorCategories: z.array(z.string().min(1).max(100)).max(1000).default([]),
  /** `appId`s of applications that are entered with a second factor only. */
  secondFactorApplications: z.array(z.string().min(1).max(100)).max(10_000).default([]),
  /** Days that a browser can be trusted to stand in for the second factor; 0 hides the choice. */
  trustedBrowserDays: z.number().int().min(0).max(90).default(30),
  retention: RecordsKept.default({ login: 400, visit: 400, audit: 400 }),
  /** The CAS REST ticket API: addresses that may use it; empty: off. */
  restTicketAddresses: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(100)
    .default([]),
})
export type SignInPolicy = z.infer<typeof SignInPolicy>
