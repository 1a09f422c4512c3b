import { createHash, createHmac } from 'node:crypto'
import { networkCode, networkProblem } from '../../platform/network-problem.ts'
import type { OutgoingFetch } from '../../platform/outgoing-fetch.ts'
import { type LogSinkDestination, LogSinkFault, type SendBatch, type StreamRecord } from './log-sink.types.ts'

const ANSWER_MS = 15_000

/** The same records give the same id, so that a repeated batch can be recognised. */
const nameOf = (records: readonly StreamRecord[]): string =>
  createHash('sha256')
    .update(records.map(({ log, id }) => `${log} ${id}`).join('\n'))
    .digest('hex')
    .slice(0, 32)

/** Over `<timestamp>.<body>`: whoever records a batch can't send it as a new one later. */
const signature = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** An endpoint that accepts batches of JSON; any 2xx means that it has stored them. A redirect is not followed. */
export const createHttpsSender =
  ({ fetch, now }: { fetch: OutgoingFetch; now: () => Date }): SendBatch =>
  async ({ url, secret }: LogSinkDestination, { records, sender }) => {
    const timestamp = String(Math.floor(now().getTime() / 1000))
    const batch = nameOf(records)
    const body = JSON.stringify({ batch, sender, records })
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': batch,
        'x-gatehouse-timestamp': timestamp,
        'x-gatehouse-signature': `sha256=${signature(secret, timestamp, body)}`,
      },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: unknown) => {
      throw faultOf(error)
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new LogSinkFault('refused', `HTTP ${answer.status}`)
  }

function faultOf(error: unknown): LogSinkFault {
  const { name, message, cause } = error as Error & { cause?: Error }
  if (name === 'TimeoutError') return new LogSinkFault('timeout')
  const words = cause?.message ?? message
  const code = networkCode(error) ?? ''
  // Whatever listens there speaks something else.
  if (cause?.name === 'HTTPParserError') return new LogSinkFault('bad-answer', words)
  return new LogSinkFault(/RESET|SOCKET|EPIPE/.test(code) ? 'cut-off' : networkProblem(error), words)
}
