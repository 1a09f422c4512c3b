import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { type DeliveryOutcome, deliveryFailure, type SendingReason, type SmsMessage } from '../message-delivery.ts'
import { isOutcome, isRepeatableText, parseJson, postSigned, unexpectedResponse } from './post-signed.ts'

type Account = {
  url: string
  region: string
  secretId: string
  secretKey: string
  sdkAppId: string
  signName: string
  template: string
  values: string[]
}
type ProviderContext = { fetch: typeof fetch; now: Date }

const Status = z.object({ SerialNo: z.string().default(''), Code: z.string(), Message: z.string().default('') })
const Reply = z.object({
  Response: z.object({
    Error: z.object({ Code: z.string(), Message: z.string().default('') }).optional(),
    SendStatusSet: z.array(Status).optional(),
  }),
})

/** Sends through Tencent Cloud SMS (2021-01-11). */
export async function sendByTencent(
  account: Account,
  message: SmsMessage,
  context: ProviderContext,
): Promise<DeliveryOutcome> {
  const body = JSON.stringify({
    PhoneNumberSet: [message.phone],
    SmsSdkAppId: account.sdkAppId,
    TemplateId: account.template,
    SignName: account.signName,
    TemplateParamSet: account.values.map((name) => message.values[name] ?? ''),
    SessionContext: message.id,
  })
  const url = new URL(account.url)
  const timestamp = Math.floor(context.now.getTime() / 1000)
  const contentType = 'application/json; charset=utf-8'
  const headers = {
    'content-type': contentType,
    'x-tc-action': 'SendSms',
    'x-tc-version': '2021-01-11',
    'x-tc-timestamp': String(timestamp),
    'x-tc-region': account.region,
    authorization: signTc3({ ...account, host: url.host, path: url.pathname, contentType, timestamp, body }),
  }
  const response = await postSigned(context.fetch, {
    url: url.href,
    headers,
    body,
    isRepeatable: isRepeatableText(message),
  })
  if (isOutcome(response)) return response
  const reply = Reply.safeParse(parseJson(response))
  if (!reply.success) return unexpectedResponse(response)
  const { Error: refusal, SendStatusSet } = reply.data.Response
  // The call may succeed although its one number is rejected.
  const [status] = SendStatusSet ?? []
  if (!refusal && status?.Code === 'Ok') return { sent: true, gatewayId: status.SerialNo }
  const problem = refusal ?? status
  return problem
    ? deliveryFailure(reasonOf(problem.Code), `${problem.Code}: ${problem.Message}`, problem.Code)
    : unexpectedResponse(response)
}

/** Matched by prefix, in this order. */
const REASONS: [string, SendingReason][] = [
  ['LimitExceeded.DeliveryFrequencyLimit', 'busy'],
  ['LimitExceeded', 'limited'],
  ['RequestLimitExceeded', 'busy'],
  ['FailedOperation.SignatureIncorrectOrUnapproved', 'signature'],
  ['FailedOperation.TemplateIncorrectOrUnapproved', 'template'],
  ['FailedOperation.InsufficientBalanceInSmsPackage', 'balance'],
  ['FailedOperation.PhoneNumberInBlacklist', 'recipient'],
  ['FailedOperation.ContainSensitiveWord', 'content'],
  ['InvalidParameterValue.IncorrectPhoneNumber', 'recipient'],
  ['InvalidParameterValue.TemplateParameter', 'template'],
  ['MissingParameter.EmptyPhoneNumberSet', 'recipient'],
  ['UnauthorizedOperation.RequestIpNotInWhitelist', 'not-allowed-from-here'],
  ['UnauthorizedOperation.SerivceSuspendDueToArrears', 'balance'],
  ['UnauthorizedOperation', 'credentials'],
  ['AuthFailure', 'credentials'],
  ['InternalError', 'busy'],
]

const reasonOf = (code: string): SendingReason => REASONS.find(([start]) => code.startsWith(start))?.[1] ?? 'rejected'

type Tc3 = {
  host: string
  path: string
  contentType: string
  timestamp: number
  body: string
  secretId: string
  secretKey: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** TC3-HMAC-SHA256 over content type, host and body. @returns the `Authorization` header */
export function signTc3({ host, path, contentType, timestamp, body, secretId, secretKey }: Tc3): string {
  const names = 'content-type;host'
  const canonical = `POST\n${path}\n\ncontent-type:${contentType}\nhost:${host}\n\n${names}\n${sha256(body)}`
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${day}/sms/tc3_request`
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${sha256(canonical)}`
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), 'sms'), 'tc3_request')
  const signature = hmac(key, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}
