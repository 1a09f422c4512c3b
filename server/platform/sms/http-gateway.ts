import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type DeliveryOutcome, deliveryFailure, type SmsMessage } from '../message-delivery.ts'
import { isOutcome, parseJson, postSigned, unexpectedResponse } from './post-signed.ts'

type Account = { url: string; appId: string; secret: string }
type ProviderContext = { fetch: typeof fetch; now: Date; nonce: string }

const Reply = z.object({
  code: z.union([z.number(), z.string()]),
  message: z.string().optional(),
  taskId: z.string().optional(),
})

/** Sends through the institution's own message platform, which can recognise repetitions by `id`. */
export async function sendByHttpGateway(
  account: Account,
  message: SmsMessage,
  context: ProviderContext,
): Promise<DeliveryOutcome> {
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
  return await postToGateway(account, body, context)
}

/** Posts a signed body; status 2xx with `code` 0 means accepted. */
export async function postToGateway(
  account: Account,
  body: string,
  context: ProviderContext,
): Promise<DeliveryOutcome> {
  const timestamp = String(Math.floor(context.now.getTime() / 1000))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-app-id': account.appId,
    'x-timestamp': timestamp,
    'x-nonce': context.nonce,
    'x-signature': signGateway(account.secret, timestamp, context.nonce, body),
  }
  const response = await postSigned(context.fetch, { url: account.url, headers, body, isRepeatable: true })
  if (isOutcome(response)) return response
  const reply = Reply.safeParse(parseJson(response))
  const code = reply.success && String(reply.data.code) !== '0' ? reply.data.code : response.status
  const words = reply.success ? `${reply.data.code}: ${reply.data.message ?? ''}` : ''
  if (response.status === 401 || response.status === 403)
    return deliveryFailure('credentials', `HTTP ${response.status} ${words}`.trim(), code)
  if (!reply.success || response.status === 429 || response.status >= 500) return unexpectedResponse(response)
  if (response.status < 300 && String(reply.data.code) === '0')
    return { sent: true, gatewayId: reply.data.taskId ?? null }
  return deliveryFailure('rejected', `HTTP ${response.status} ${words}`, code)
}

/** HMAC-SHA256 over time, nonce and the body as sent. */
export const signGateway = (secret: string, timestamp: string, nonce: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}\n${nonce}\n${body}`).digest('hex')
