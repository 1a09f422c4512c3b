import type { Envelope } from '#shared/contract/endpoint.ts'
import { serverNow, syncServerTime } from '../platform/server-clock.ts'
import { randomUuid, signRequest } from '../platform/signing.ts'

/**
 * Makes a signed API call without the portal's client; a wrong clock is corrected from the server's and the call
 * repeated once. @throws DOMException `TimeoutError` on HTTP 504
 */
export async function postSigned<T>(path: string, input: object, mayRepeat = true): Promise<Envelope<T>> {
  const body = JSON.stringify(input)
  const query = new URLSearchParams({ uuids: randomUuid() })
  const timestamp = String(serverNow())
  const answer = await fetch(`${path}?${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      timestamp,
      sign: await signRequest(timestamp, 'POST', path, query, body),
    },
    body,
  })
  if (answer.status === 504) throw new DOMException('a gateway gave up waiting', 'TimeoutError')
  const envelope = (await answer.json()) as Envelope<T>
  if (envelope.code === 'request.clock-skew' && mayRepeat && syncServerTime(envelope.data)) {
    return postSigned(path, input, false)
  }
  return envelope
}
