import { type DeliveryOutcome, deliveryFailure } from '../message-delivery.ts'

const RESPONSE_TIMEOUT_MS = 10_000
const MAX_WORDS_LENGTH = 300

export type SignedRequest = { url: string; headers: Record<string, string>; body: string }

export type ProviderResponse = { status: number; text: string }

/** Posts to a provider. @returns its answer, or why there is none; nothing is followed elsewhere. */
export async function postSigned(
  call: typeof fetch,
  { url, headers, body }: SignedRequest,
): Promise<ProviderResponse | DeliveryOutcome> {
  try {
    // An empty text would get a content type of its own, which nobody has signed.
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
    const answer = await call(url, {
      method: 'POST',
      headers,
      body: body === '' ? null : body,
      redirect: 'manual',
      signal,
    })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    const { name, message, cause } = error as {
      name?: string
      message?: string
      cause?: { code?: string; message?: string }
    }
    const words = `${cause?.code ?? name ?? ''} ${cause?.message ?? message ?? ''}`.trim().slice(0, MAX_WORDS_LENGTH)
    if (name === 'TimeoutError' || /TIMEOUT/.test(words)) return deliveryFailure('timeout', words)
    if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(cause?.code ?? ''))
      return deliveryFailure('certificate', words)
    return deliveryFailure('unreachable', words)
  }
}

export const isOutcome = (answer: ProviderResponse | DeliveryOutcome): answer is DeliveryOutcome => 'sent' in answer

/**
 * An answer that is none of the provider's own: a proxy's, a login page, an overload. What it says is not repeated: a test of
 * settings must not become a way to read what stands on other servers.
 */
export function unexpectedResponse({ status }: ProviderResponse): DeliveryOutcome {
  const words = `HTTP ${status}`
  if (status === 429 || status >= 500) return deliveryFailure('busy', words)
  return deliveryFailure('unintelligible', words)
}

/** The JSON of an answer; null when it is none. */
export function parseJson({ text }: ProviderResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
