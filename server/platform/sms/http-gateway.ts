import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { notSent, type Outcome, type SmsMessage } from '../sending.ts'
import { isOutcome, jsonOf, oddAnswer, postSigned } from './post-signed.ts'

type Account = { url: string; appId: string; secret: string }
type Surroundings = { fetch: typeof fetch; now: Date; nonce: string }

const Reply = z.object({
  code: z.union([z.number(), z.string()]),
  message: z.string().optional(),
  taskId: z.string().optional(),
})

/** Sends through the institution's own message platform; `id` lets it drop what it has had before. */
export async function sendByGateway(account: Account, message: SmsMessage, around: Surroundings): Promise<Outcome> {
  const body = JSON.stringify({
    id: message.id,
    type: message.kind === 'code' ? 'verify_code' : 'security_alert',
    template: message.template,
    channel: ['sms'],
    receivers: [{ phone: message.phone }],
    params: message.values,
    text: message.text,
    priority: message.kind === 'code' ? 'high' : 'normal',
    expireAt: message.expiresAt.toISOString(),
  })
  const timestamp = String(Math.floor(around.now.getTime() / 1000))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-app-id': account.appId,
    'x-timestamp': timestamp,
    'x-nonce': around.nonce,
    'x-signature': signGateway(account.secret, timestamp, around.nonce, body),
  }
  const answer = await postSigned(around.fetch, { url: account.url, headers, body })
  if (isOutcome(answer)) return answer
  const reply = Reply.safeParse(jsonOf(answer))
  const words = reply.success ? `${reply.data.code}: ${reply.data.message ?? ''}` : ''
  if (answer.status === 401 || answer.status === 403)
    return notSent('credentials', `HTTP ${answer.status} ${words}`.trim())
  if (!reply.success || answer.status === 429 || answer.status >= 500) return oddAnswer(answer)
  if (answer.status < 300 && String(reply.data.code) === '0')
    return { sent: true, gatewayId: reply.data.taskId ?? null }
  return notSent('rejected', `HTTP ${answer.status} ${words}`)
}

/** HMAC-SHA256 over time, nonce and the body as it is sent. */
export const signGateway = (secret: string, timestamp: string, nonce: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}\n${nonce}\n${body}`).digest('hex')
