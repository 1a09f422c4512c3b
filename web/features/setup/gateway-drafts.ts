import { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'

/** The field values as typed. */
export type Draft = Readonly<Record<string, string>>

export const SMS_PROVIDERS = ['aliyun', 'tencent', 'gateway'] as const
export type SmsProvider = (typeof SMS_PROVIDERS)[number]

export const EMPTY_MAIL: Draft = { host: '', port: '587', security: 'starttls', user: '', password: '', from: '' }

export const EMPTY_SMS: Readonly<Record<SmsProvider, Draft>> = {
  aliyun: {
    url: 'https://dysmsapi.aliyuncs.com',
    accessKeyId: '',
    accessKeySecret: '',
    signName: '',
    codeTemplate: '',
    noticeTemplate: '',
  },
  tencent: {
    url: 'https://sms.tencentcloudapi.com',
    region: 'ap-guangzhou',
    secretId: '',
    secretKey: '',
    sdkAppId: '',
    signName: '',
    codeTemplate: '',
    noticeTemplate: '',
  },
  gateway: { url: '', appId: '', secret: '' },
}

/** The usual port of each kind of encryption. */
export const USUAL_PORT: Readonly<Record<string, string>> = { tls: '465', starttls: '587', none: '25' }

type ParsedGateway<Gateway> = { gateway: Gateway | null; invalid: ReadonlySet<string> }

type SafeParseResult<Gateway> =
  | { success: true; data: Gateway }
  | { success: false; error: { issues: { path: PropertyKey[] }[] } }

function toParsedGateway<Gateway>(parsed: SafeParseResult<Gateway>): ParsedGateway<Gateway> {
  if (parsed.success) return { gateway: parsed.data, invalid: new Set() }
  return { gateway: null, invalid: new Set(parsed.error.issues.map(({ path }) => String(path[0]))) }
}

export const parseMail = (draft: Draft): ParsedGateway<MailGateway> =>
  toParsedGateway(MailGateway.safeParse({ ...draft, port: Number(draft['port']) }))

/** @param stored the gateway of the same provider: values that the form doesn't edit are kept. */
export function parseSms(
  provider: SmsProvider,
  draft: Draft,
  stored: SmsGateway | null = null,
): ParsedGateway<SmsGateway> {
  const { noticeTemplate, ...rest } = draft
  const notice = noticeTemplate === undefined ? {} : { noticeTemplate: noticeTemplate.trim() || null }
  const kept = stored?.provider === provider ? stored : {}
  return toParsedGateway(SmsGateway.safeParse({ ...kept, provider, ...rest, ...notice }))
}

/** A stored gateway as draft with the fields of `empty`. */
export const toDraft = (gateway: object | null, empty: Draft): Draft => {
  const stored = (gateway ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(empty).map(([name, text]) => [name, name in stored ? String(stored[name] ?? '') : text]),
  )
}

/** The name of the secret field, by provider or for mail. */
export const SECRET_FIELD = {
  mail: 'password',
  aliyun: 'accessKeySecret',
  tencent: 'secretKey',
  gateway: 'secret',
} as const
