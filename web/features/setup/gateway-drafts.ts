import { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'

/** What stands in the fields, as it was typed. */
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

export function parseSms(provider: SmsProvider, draft: Draft): ParsedGateway<SmsGateway> {
  const { noticeTemplate, ...rest } = draft
  const notice = noticeTemplate === undefined ? {} : { noticeTemplate: noticeTemplate.trim() || null }
  return toParsedGateway(SmsGateway.safeParse({ provider, ...rest, ...notice }))
}
