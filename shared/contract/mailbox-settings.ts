import { z } from 'zod'
import { SECRET_PLACEHOLDER } from './stored-secret.ts'
import { vendorHost, vendorId, vendorSecret } from './vendor-setting-fields.ts'

/** The mail providers of an institution. */
export const MAILBOX_DRIVERS = ['exmail', 'coremail', 'netease', 'alimail'] as const
export type MailboxDriver = (typeof MAILBOX_DRIVERS)[number]

/** Tencent Exmail: the corporation, and the secret of its single sign-on. */
const ExmailSettings = z.strictObject({
  driver: z.literal('exmail'),
  corpId: vendorId,
  secret: vendorSecret,
  apiHost: vendorHost.default('https://api.exmail.qq.com'),
  /** The webmail host; different for an institution's own domain. */
  loginHost: vendorHost.default('https://exmail.qq.com'),
})
export type ExmailSettings = z.infer<typeof ExmailSettings>

/** Coremail on the institution's server: an API user, whose secret opens every mailbox. */
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

/** NetEase: links are signed here, with the private key whose public key NetEase has. */
const NeteaseSettings = z.strictObject({
  driver: z.literal('netease'),
  /** PEM, or the placeholder for the stored one. */
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

/** The settings of each driver, by name. */
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

/** The encrypted settings of each driver, which are never shown. */
export const MAILBOX_SECRETS = {
  exmail: 'secret',
  coremail: 'secret',
  netease: 'privateKey',
  alimail: 'clientSecret',
} as const satisfies Record<MailboxDriver, string>

const MAX_RULES = 10
/** The prefix or suffix of an account in an address. */
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
 * How addresses are formed. `number`: the account in lower case, with prefix and suffix. `recorded`: the email address
 * on file, if it is in the domain and not only vouched for by an administrator of some organisations. Nothing that
 * people choose makes an address: they could choose somebody else's.
 */
export const AddressRule = z.strictObject({
  /** Codes of user categories; empty: everybody not covered by an earlier rule. */
  categories: z.array(z.string().min(1).max(100)).max(100),
  from: z.enum(['number', 'recorded']),
  prefix: Part,
  suffix: Part,
  domain: Domain,
})
export type AddressRule = z.infer<typeof AddressRule>

/** In order: the first rule for a person's category applies. */
export const AddressRules = z.array(AddressRule).min(1).max(MAX_RULES)
