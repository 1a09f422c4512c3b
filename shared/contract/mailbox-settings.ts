import { z } from 'zod'
import { SECRET_PLACEHOLDER } from './message-gateways.ts'
import { vendorHost, vendorId, vendorSecret } from './vendor-setting-fields.ts'

/** Who keeps the mailboxes of an institution. */
export const MAILBOX_DRIVERS = ['exmail', 'coremail', 'netease', 'alimail'] as const
export type MailboxDriver = (typeof MAILBOX_DRIVERS)[number]

/** Tencent Exmail: corporation, and the secret of its single sign-on. */
const ExmailSettings = z.strictObject({
  driver: z.literal('exmail'),
  corpId: vendorId,
  secret: vendorSecret,
  apiHost: vendorHost.default('https://api.exmail.qq.com'),
  /** Where people read their mail; another one for a domain of the institution's own. */
  loginHost: vendorHost.default('https://exmail.qq.com'),
})
export type ExmailSettings = z.infer<typeof ExmailSettings>

/** Coremail on a server of the institution's own: a user of its interface, whose secret opens every mailbox. */
const CoremailSettings = z.strictObject({
  driver: z.literal('coremail'),
  appId: vendorId,
  secret: vendorSecret,
  apiHost: vendorHost,
  loginHost: vendorHost,
})
export type CoremailSettings = z.infer<typeof CoremailSettings>

const PEM = /^-----BEGIN (?:RSA )?PRIVATE KEY-----\s[A-Za-z0-9+/=\s]+-----END (?:RSA )?PRIVATE KEY-----$/
const MAX_KEY = 8000

/** NetEase: links are signed here, with the key whose public half was handed to NetEase. */
const NeteaseSettings = z.strictObject({
  driver: z.literal('netease'),
  /** PEM, or the stars that stand for a stored one. */
  privateKey: z
    .string()
    .trim()
    .max(MAX_KEY)
    .refine((text) => text === SECRET_PLACEHOLDER || PEM.test(text), 'expected an RSA private key in PEM'),
  loginHost: vendorHost.default('https://entry.qiye.163.com'),
})
export type NeteaseSettings = z.infer<typeof NeteaseSettings>

/** Alibaba Mail: an application of its open platform. */
const AlimailSettings = z.strictObject({
  driver: z.literal('alimail'),
  clientId: vendorId,
  clientSecret: vendorSecret,
  apiHost: vendorHost.default('https://alimail-cn.aliyuncs.com'),
  loginHost: vendorHost.default('https://qiye.aliyun.com'),
})
export type AlimailSettings = z.infer<typeof AlimailSettings>

/** How a driver is set up, by its name. */
export const MAILBOX_SETTINGS = {
  exmail: ExmailSettings,
  coremail: CoremailSettings,
  netease: NeteaseSettings,
  alimail: AlimailSettings,
} as const satisfies Record<MailboxDriver, z.ZodType>

export const MailboxSettings = z.discriminatedUnion('driver', [
  ExmailSettings,
  CoremailSettings,
  NeteaseSettings,
  AlimailSettings,
])
export type MailboxSettings = z.infer<typeof MailboxSettings>

/** What of a driver's settings is sealed, and never shown. */
export const MAILBOX_SECRETS = {
  exmail: 'secret',
  coremail: 'secret',
  netease: 'privateKey',
  alimail: 'clientSecret',
} as const satisfies Record<MailboxDriver, string>

const MAX_RULES = 10
/** What may stand before and after a number, in an address. */
const Part = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9._-]{0,20}$/, 'expected letters, digits, . _ and -')
  .default('')
const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(190)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'expected a domain such as example.edu',
  )

/**
 * Whose address is made how. `number`: the account in lower case, with something before and after it. `recorded`: the mailbox on
 * file, when it is one of the domain and nobody but an administrator of some organisations has vouched for it. Nothing that people
 * choose themselves makes an address: whoever could, would choose somebody else's.
 */
export const AddressRule = z.strictObject({
  /** Codes of user categories; empty: everybody whom no rule before named. */
  categories: z.array(z.string().min(1).max(100)).max(100),
  from: z.enum(['number', 'recorded']),
  prefix: Part,
  suffix: Part,
  domain: Domain,
})
export type AddressRule = z.infer<typeof AddressRule>

/** In their order: the first that names somebody's category decides. */
export const AddressRules = z.array(AddressRule).min(1).max(MAX_RULES)
