import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SmsGateway } from '#shared/contract/message-gateways.ts'
import { verifyAliyun, verifyGateway, verifyTencent } from './sms-signatures.ts'

export type SentSms = {
  phone: string
  /** Identifies a repetition. */
  id: string
  template: string
  /** By name, or with Tencent by position. */
  values: Record<string, string>
  text: string
}

/** One answer of the provider instead of sending. */
export type Reply = {
  status?: number
  body?: unknown
  delay?: number
  /** Cuts the connection instead of answering: before it accepts the message, or after. */
  hangUp?: boolean
  loseAnswer?: boolean
}

export type SmsProvider = {
  /** The matching settings. */
  gateway: SmsGateway
  sent: SentSms[]
  /** Number of all calls, including rejected ones. */
  calls(): number
  answerNext(...replies: Reply[]): void
  close(): void
}

export const ACCOUNT = { id: 'gatehouse-id', secret: 'Gatehouse-secret-0815' }
export const SIGNATURE = '示范大学'
const TEMPLATES = ['SMS_CODE', 'SMS_NOTICE', '100001', '100002']

type Call = { request: IncomingMessage; url: URL; body: string; now: Date }
type Verdict = { reply: { status: number; body: unknown }; sms: SentSms | null }

/** A fake SMS provider on loopback that checks signatures, templates and numbers like the real one. */
export async function startSmsProvider(
  provider: SmsGateway['provider'],
  now: () => Date = () => new Date(),
): Promise<SmsProvider> {
  const sent: SentSms[] = []
  const replies: Reply[] = []
  const nonces = new Set<string>()
  let calls = 0
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    calls += 1
    const told = replies.shift() ?? {}
    if (told.delay) await new Promise((done) => setTimeout(done, told.delay))
    if (told.hangUp) return void request.socket.destroy()
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const { reply, sms } = toldVerdict(told) ?? JUDGES[provider]({ request, url, body, now: now() }, nonces)
    // Recorded as soon as it is accepted, so also if nobody receives the answer.
    if (sms) sent.push(sms)
    if (told.loseAnswer) return void request.socket.destroy()
    answer(response, reply)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    gateway: SETTINGS[provider](url),
    sent,
    calls: () => calls,
    answerNext: (...next) => void replies.push(...next),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answer(response: ServerResponse, { status, body }: Verdict['reply']): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const toldVerdict = ({ status = 200, body }: Reply): Verdict | null =>
  body === undefined && status === 200 ? null : { reply: { status, body: body ?? '' }, sms: null }

const SETTINGS: Record<SmsGateway['provider'], (url: string) => SmsGateway> = {
  aliyun: (url) => ({
    provider: 'aliyun',
    url,
    accessKeyId: ACCOUNT.id,
    accessKeySecret: ACCOUNT.secret,
    signName: SIGNATURE,
    codeTemplate: 'SMS_CODE',
    codeValues: ['code'],
    noticeTemplate: 'SMS_NOTICE',
    noticeValues: ['account', 'event', 'time'],
  }),
  tencent: (url) => ({
    provider: 'tencent',
    url,
    region: 'ap-guangzhou',
    secretId: ACCOUNT.id,
    secretKey: ACCOUNT.secret,
    sdkAppId: '1400006666',
    signName: SIGNATURE,
    codeTemplate: '100001',
    codeValues: ['code', 'minutes'],
    noticeTemplate: null,
    noticeValues: ['account', 'event', 'time'],
  }),
  gateway: (url) => ({ provider: 'gateway', url: `${url}/messages`, appId: ACCOUNT.id, secret: ACCOUNT.secret }),
}

const JUDGES: Record<SmsGateway['provider'], (call: Call, nonces: Set<string>) => Verdict> = {
  aliyun: judgeAliyun,
  tencent: judgeTencent,
  gateway: judgeGateway,
}

function judgeAliyun({ request, url, body, now }: Call, nonces: Set<string>): Verdict {
  const refuse = (status: number, Code: string) => ({
    reply: { status, body: { Code, Message: `refused: ${Code}`, RequestId: 'F655A8D5' } },
    sms: null,
  })
  const problem = verifyAliyun({ request, url, body, now }, ACCOUNT, nonces)
  if (problem) return refuse(problem === 'InvalidAccessKeyId.NotFound' ? 404 : 400, problem)
  const get = (name: string) => url.searchParams.get(name) ?? ''
  // Business errors come with HTTP 200.
  if (!/^(86)?1\d{10}$/.test(get('PhoneNumbers'))) return refuse(200, 'isv.MOBILE_NUMBER_ILLEGAL')
  if (get('SignName') !== SIGNATURE) return refuse(200, 'isv.SMS_SIGNATURE_ILLEGAL')
  if (!TEMPLATES.includes(get('TemplateCode'))) return refuse(200, 'isv.SMS_TEMPLATE_ILLEGAL')
  const values = JSON.parse(get('TemplateParam')) as Record<string, string>
  if (Object.values(values).some((value) => typeof value !== 'string')) return refuse(200, 'isv.INVALID_JSON_PARAM')
  return {
    reply: { status: 200, body: { Code: 'OK', Message: 'OK', BizId: '900619746936498440^0', RequestId: 'F655A8D5' } },
    sms: { phone: get('PhoneNumbers'), id: get('OutId'), template: get('TemplateCode'), values, text: '' },
  }
}

type TencentBody = {
  PhoneNumberSet: string[]
  SmsSdkAppId: string
  TemplateId: string
  SignName: string
  TemplateParamSet: string[]
  SessionContext: string
}

function judgeTencent({ request, url, body, now }: Call): Verdict {
  const problem = verifyTencent({ request, url, body, now }, ACCOUNT)
  const RequestId = 'a0aabda6'
  if (problem) {
    return {
      reply: { status: 200, body: { Response: { Error: { Code: problem, Message: problem }, RequestId } } },
      sms: null,
    }
  }
  const sent = JSON.parse(body) as TencentBody
  const [phone = ''] = sent.PhoneNumberSet
  const status = (Code: string, SerialNo = '') => ({
    status: 200,
    body: { Response: { SendStatusSet: [{ SerialNo, PhoneNumber: phone, Fee: 1, Code, Message: Code }], RequestId } },
  })
  if (sent.SmsSdkAppId !== '1400006666')
    return { reply: status('UnauthorizedOperation.SmsSdkAppIdVerifyFail'), sms: null }
  if (sent.SignName !== SIGNATURE) return { reply: status('FailedOperation.SignatureIncorrectOrUnapproved'), sms: null }
  if (!TEMPLATES.includes(sent.TemplateId))
    return { reply: status('FailedOperation.TemplateIncorrectOrUnapproved'), sms: null }
  if (!/^\+861\d{10}$/.test(phone)) return { reply: status('InvalidParameterValue.IncorrectPhoneNumber'), sms: null }
  const values = Object.fromEntries(sent.TemplateParamSet.map((value, index) => [String(index + 1), value]))
  return {
    reply: status('Ok', '5000:1045710669157053657849499619'),
    sms: { phone, id: sent.SessionContext, template: sent.TemplateId, values, text: '' },
  }
}

type GatewayBody = {
  id: string
  template: string
  receivers: { phone: string }[]
  params: Record<string, string>
  text: string
}

function judgeGateway({ request, url, body, now }: Call, nonces: Set<string>): Verdict {
  const problem = verifyGateway({ request, url, body, now }, ACCOUNT, nonces)
  if (problem) return { reply: { status: 401, body: { code: 401, message: problem } }, sms: null }
  const { id, template, receivers, params, text } = JSON.parse(body) as GatewayBody
  return {
    reply: { status: 200, body: { code: 0, message: 'ok', taskId: `task-${id.slice(-6)}` } },
    sms: { phone: receivers[0]?.phone ?? '', id, template, values: params, text },
  }
}
