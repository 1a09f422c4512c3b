import { z } from 'zod'
import { canonicalMailbox, MAX_MAILBOX_LENGTH } from '../rules/mailbox.ts'
import { parseWebAddress } from '../rules/redirect-target.ts'
import { get, post } from './endpoint.ts'
import { NETWORK_PROBLEMS } from './network-problems.ts'

const text = (max: number) => z.string().trim().min(1).max(max)
const secret = z.string().min(1).max(500)
/** The parameters of a provider's template, in order of our values. */
const values = z.array(z.enum(['code', 'minutes', 'school', 'name', 'account', 'event', 'time'])).max(10)

const isHost = (value: string) => parseWebAddress(`http://${value.includes(':') ? `[${value}]` : value}/`) !== null
const Mailbox = z
  .string()
  .max(MAX_MAILBOX_LENGTH)
  .refine((value) => canonicalMailbox(value) === value, 'a mailbox')
  .meta({ format: 'email' })
const webAddress = z
  .string()
  .trim()
  .max(500)
  .refine((value) => parseWebAddress(value) !== null, 'an http or https address')

/** The mail server: settings document `mail`. */
export const MailGateway = z.strictObject({
  host: text(253).refine(isHost, 'a host name or an address'),
  port: z.number().int().min(1).max(65535),
  /**
   * `tls` from the first byte (port 465), `starttls` required before anything else (587), `none` within a machine room.
   */
  security: z.enum(['tls', 'starttls', 'none']),
  /** Empty: no authentication. */
  user: z.string().trim().max(200).default(''),
  password: z.string().max(500).default(''),
  from: Mailbox,
})
export type MailGateway = z.infer<typeof MailGateway>

const Aliyun = z.strictObject({
  provider: z.literal('aliyun'),
  url: webAddress.default('https://dysmsapi.aliyuncs.com'),
  accessKeyId: text(100),
  accessKeySecret: secret,
  signName: text(50),
  codeTemplate: text(50),
  codeValues: values.default(['code']),
  /** Null: security notices are not sent by text message. */
  noticeTemplate: text(50).nullable().default(null),
  noticeValues: values.default(['account', 'event', 'time']),
})

const Tencent = z.strictObject({
  provider: z.literal('tencent'),
  url: webAddress.default('https://sms.tencentcloudapi.com'),
  region: text(40).default('ap-guangzhou'),
  secretId: text(100),
  secretKey: secret,
  sdkAppId: text(20),
  signName: text(50),
  codeTemplate: text(50),
  codeValues: values.default(['code', 'minutes']),
  noticeTemplate: text(50).nullable().default(null),
  noticeValues: values.default(['account', 'event', 'time']),
})

/** The institution's own message platform: signed JSON over HTTP. */
const HttpGateway = z.strictObject({
  provider: z.literal('gateway'),
  url: webAddress,
  appId: text(100),
  secret,
})

/** The SMS provider: settings document `sms`. */
export const SmsGateway = z.discriminatedUnion('provider', [Aliyun, Tencent, HttpGateway])
export type SmsGateway = z.infer<typeof SmsGateway>

/** The placeholders of a body, in double braces. */
export const HTTP_BODY_NAMES = [
  'id',
  'type',
  'template',
  'language',
  'account',
  'title',
  'text',
  'code',
  'expireAt',
] as const
const MAX_HTTP_BODY = 4000

/** The default body for the institution's platform. */
export const DEFAULT_HTTP_BODY = `{
  "id": "{{id}}",
  "type": "{{type}}",
  "receivers": [{ "account": "{{account}}" }],
  "title": "{{title}}",
  "text": "{{text}}",
  "expireAt": "{{expireAt}}"
}`

/** Why a body is invalid; null: valid. */
export function httpBodyProblem(body: string): string | null {
  const names = [...body.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name)
  if (names.some((name) => !(HTTP_BODY_NAMES as readonly (string | undefined)[]).includes(name)))
    return `only {{${HTTP_BODY_NAMES.join('}}, {{')}}}`
  if (!names.includes('account') || !names.includes('text')) return '{{account}} and {{text}}'
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? null : 'a JSON object'
  } catch {
    return 'JSON, each {{name}} within a text'
  }
}

/**
 * The institution's own message platform as a channel: settings document `messageGateway`. Signed like text messages.
 */
export const HttpChannel = z.strictObject({
  url: webAddress,
  appId: text(100),
  secret,
  /** JSON whose strings may contain `{{name}}`. */
  body: z
    .string()
    .trim()
    .max(MAX_HTTP_BODY)
    .superRefine((body, ctx) => {
      const problem = httpBodyProblem(body)
      if (problem) ctx.addIssue({ code: 'custom', message: problem })
    })
    .default(DEFAULT_HTTP_BODY),
})
export type HttpChannel = z.infer<typeof HttpChannel>

/** Settings document `messages`: the sending limits. */
export const MessageLimits = z.strictObject({
  mostPerTargetAndHour: z.number().int().min(1).max(1000).default(15),
  mostPerTargetAndDay: z.number().int().min(1).max(10_000).default(30),
  mostMailAnHour: z.number().int().min(1).max(1_000_000).default(10_000),
  mostSmsAnHour: z.number().int().min(1).max(1_000_000).default(2_000),
  /** For times in notices. */
  timeZone: z
    .string()
    .refine(
      (zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC',
      'a zone such as Asia/Shanghai',
    )
    .default('Asia/Shanghai'),
})
export type MessageLimits = z.infer<typeof MessageLimits>

/** Why a message was not sent; each has the message `message-reason.<name>`. */
const SENDING_REASONS = [
  ...NETWORK_PROBLEMS,
  'unanswered',
  'busy',
  'deferred',
  'credentials',
  'not-allowed-from-here',
  'balance',
  'sender',
  'signature',
  'template',
  'recipient',
  'limited',
  'content',
  'rejected',
  'unintelligible',
] as const
export type SendingReason = (typeof SENDING_REASONS)[number]

export const TestResult = z.object({
  sent: z.boolean(),
  reason: z.enum(SENDING_REASONS).nullable(),
  /** The other side's message, verbatim. */
  words: z.string().nullable(),
})
export type TestResult = z.infer<typeof TestResult>

export const MailTest = z.strictObject({ gateway: MailGateway, to: Mailbox })
export const SmsTest = z.strictObject({ gateway: SmsGateway, to: text(40) })

const TEST_ERRORS = ['message.invalid-number', 'message.too-many', 'settings.secret-needed'] as const

const Shown = {
  version: z.number().int(),
  isDown: z.boolean(),
  /** Set by the bootstrap file: it can't be saved here. */
  isSetByFile: z.boolean(),
}

const MailState = z.object({ ...Shown, gateway: MailGateway.nullable() })
const SmsState = z.object({ ...Shown, gateway: SmsGateway.nullable() })
export type MailState = z.infer<typeof MailState>
export type SmsState = z.infer<typeof SmsState>

export const queryMessageGateways = get(
  '/message_gateways/query/',
  'superUser',
  z.strictObject({}),
  z.object({
    mail: MailState,
    sms: SmsState,
  }),
  { summary: 'The gateways of mail and text messages, with masked secrets' },
)

const SAVE_ERRORS = ['version.conflict', 'settings.secret-needed', 'settings.set-by-file'] as const
const Saved = z.object({ version: z.number().int() })
const version = z.number().int().min(0)

export const saveMailGateway = post(
  '/message_gateways/save_mail/',
  'superUser',
  z.strictObject({ version, gateway: MailGateway.nullable() }),
  Saved,
  {
    summary: 'Change the mail server; a conflict returns the stored document as `current`',
    errors: SAVE_ERRORS,
  },
)

export const saveSmsGateway = post(
  '/message_gateways/save_sms/',
  'superUser',
  z.strictObject({ version, gateway: SmsGateway.nullable() }),
  Saved,
  { summary: 'Change the SMS provider; conflicts as for mail', errors: SAVE_ERRORS },
)

export const testMailGateway = post('/message_gateways/test_mail/', 'superUser', MailTest, TestResult, {
  summary: 'Send a test mail with these settings, stored or not',
  errors: TEST_ERRORS,
})

export const testSmsGateway = post('/message_gateways/test_sms/', 'superUser', SmsTest, TestResult, {
  summary: 'Send a test text message with these settings, stored or not',
  errors: TEST_ERRORS,
})

/** Also used by the set-up, which has a link instead of a session. */
export const GatewayTest = { result: TestResult, errors: TEST_ERRORS }
