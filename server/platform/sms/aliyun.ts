import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { type DeliveryOutcome, deliveryFailure, type SendingReason, type SmsMessage } from '../message-delivery.ts'
import { isOutcome, isRepeatableText, parseJson, postSigned, unexpectedResponse } from './post-signed.ts'

type Account = {
  url: string
  accessKeyId: string
  accessKeySecret: string
  signName: string
  template: string
  values: string[]
}
type ProviderContext = { fetch: typeof fetch; now: Date; nonce: string }

const Reply = z.object({ Code: z.string(), Message: z.string().default(''), BizId: z.string().optional() })

/** Sends through Alibaba Cloud SMS (dysmsapi 2017-05-25); everything is in the query, the body is empty. */
export async function sendByAliyun(
  account: Account,
  message: SmsMessage,
  context: ProviderContext,
): Promise<DeliveryOutcome> {
  const query = {
    PhoneNumbers: message.phone.replace(/^\+/, ''),
    SignName: account.signName,
    TemplateCode: account.template,
    TemplateParam: JSON.stringify(Object.fromEntries(account.values.map((name) => [name, message.values[name] ?? '']))),
    OutId: message.id,
  }
  const url = new URL(account.url)
  const headers = signAcs3({
    host: url.host,
    path: url.pathname,
    query,
    body: '',
    action: 'SendSms',
    version: '2017-05-25',
    ...account,
    ...context,
  })
  const response = await postSigned(context.fetch, {
    url: `${url.origin}${url.pathname}?${canonicalQuery(query)}`,
    headers,
    body: '',
    isRepeatable: isRepeatableText(message),
  })
  if (isOutcome(response)) return response
  const reply = Reply.safeParse(parseJson(response))
  if (!reply.success) return unexpectedResponse(response)
  // Business errors come with HTTP 200 as well.
  const { Code, Message, BizId } = reply.data
  if (Code === 'OK') return { sent: true, gatewayId: BizId ?? null }
  return deliveryFailure(reasonOf(Code, response.status), `${Code}: ${Message}`, Code)
}

const REASONS: Record<string, SendingReason> = {
  'isv.BUSINESS_LIMIT_CONTROL': 'limited',
  'isv.MOBILE_NUMBER_ILLEGAL': 'recipient',
  'isv.BLACK_KEY_CONTROL_LIMIT': 'content',
  'isv.PARAM_LENGTH_LIMIT': 'template',
  'isv.PARAM_NOT_SUPPORT_URL': 'template',
  'isv.SMS_SIGNATURE_ILLEGAL': 'signature',
  'isv.SMS_TEMPLATE_ILLEGAL': 'template',
  'isv.TEMPLATE_MISSING_PARAMETERS': 'template',
  'isv.INVALID_PARAMETERS': 'template',
  'isv.INVALID_JSON_PARAM': 'template',
  'isv.AMOUNT_NOT_ENOUGH': 'balance',
  'isv.OUT_OF_SERVICE': 'balance',
  'isv.PRODUCT_UN_SUBSCRIPT': 'balance',
  'isv.ACCOUNT_NOT_EXISTS': 'credentials',
  'isv.ACCOUNT_ABNORMAL': 'credentials',
  'isp.RAM_PERMISSION_DENY': 'credentials',
  'isp.SYSTEM_ERROR': 'busy',
  SignatureDoesNotMatch: 'credentials',
  IncompleteSignature: 'credentials',
  'InvalidAccessKeyId.NotFound': 'credentials',
  'InvalidAccessKeyId.Inactive': 'credentials',
  'InvalidTimeStamp.Expired': 'credentials',
  'Throttling.User': 'busy',
  Throttling: 'busy',
  ServiceUnavailable: 'busy',
  InternalError: 'busy',
}

const reasonOf = (code: string, status: number): SendingReason => REASONS[code] ?? (status >= 500 ? 'busy' : 'rejected')

/** RFC 3986: also what `encodeURIComponent` leaves unescaped. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (query: Record<string, string>) =>
  Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&')

type Acs3 = {
  host: string
  path: string
  query: Record<string, string>
  body: string
  action: string
  version: string
  accessKeyId: string
  accessKeySecret: string
  now: Date
  nonce: string
}

/** ACS3-HMAC-SHA256. @returns the headers of the request, `Authorization` among them. */
export function signAcs3(request: Acs3): Record<string, string> {
  const hashed = createHash('sha256').update(request.body).digest('hex')
  const signed: Record<string, string> = {
    host: request.host,
    'x-acs-action': request.action,
    'x-acs-content-sha256': hashed,
    'x-acs-date': `${request.now.toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  }
  const names = Object.keys(signed).sort()
  const lines = names.map((name) => `${name}:${signed[name]}\n`).join('')
  const canonical = ['POST', request.path, canonicalQuery(request.query), lines, names.join(';'), hashed].join('\n')
  const toSign = `ACS3-HMAC-SHA256\n${createHash('sha256').update(canonical).digest('hex')}`
  const signature = createHmac('sha256', request.accessKeySecret).update(toSign).digest('hex')
  const authorization = `ACS3-HMAC-SHA256 Credential=${request.accessKeyId},SignedHeaders=${names.join(';')},Signature=${signature}`
  const { host: _, ...headers } = signed
  return { ...headers, authorization }
}
