import type { Envelope } from '#shared/contract/endpoint.ts'
import { serverNow, takeServerTime } from '../platform/server-clock.ts'
import { randomUuid, signatureOf } from '../platform/signing.ts'

/** A signed call of the API without the portal's client; a wrong clock is set by the server's and the call repeated once. */
export async function signedPost<T>(path: string, input: object, mayRepeat = true): Promise<Envelope<T>> {
  const body = JSON.stringify(input)
  const query = new URLSearchParams({ uuids: randomUuid() })
  const timestamp = String(serverNow())
  const answer = await fetch(`${path}?${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      timestamp,
      sign: await signatureOf(timestamp, 'POST', path, query, body),
    },
    body,
  })
  const envelope = (await answer.json()) as Envelope<T>
  if (envelope.code === 'request.clock-skew' && mayRepeat && takeServerTime(envelope.data)) {
    return signedPost(path, input, false)
  }
  return envelope
}
