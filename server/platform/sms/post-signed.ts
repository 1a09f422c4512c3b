import { type DeliveryOutcome, deliveryFailure, type SmsMessage } from '../message-delivery.ts'
import { networkCode, networkProblem } from '../network-problem.ts'

const RESPONSE_TIMEOUT_MS = 10_000
const MAX_WORDS_LENGTH = 300

export type SignedRequest = {
  url: string
  headers: Record<string, string>
  body: string
  /** Whether sending it a second time does no harm, as with a receiver that recognises repetitions. */
  isRepeatable: boolean
}

export type ProviderResponse = Pick<SignedRequest, 'isRepeatable'> & { status: number; text: string }

/** Posts to a provider. @returns its answer, or why there is none; redirects are not followed */
export async function postSigned(
  call: typeof fetch,
  { url, headers, body, isRepeatable }: SignedRequest,
): Promise<ProviderResponse | DeliveryOutcome> {
  try {
    // An empty string would get a content type, which is not signed.
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
    const answer = await call(url, {
      method: 'POST',
      headers,
      body: body === '' ? null : body,
      redirect: 'manual',
      signal,
    })
    // Something in between gave up waiting, even if it says so as the provider would.
    if (answer.status === 504 && !isRepeatable) {
      await answer.body?.cancel()
      return deliveryFailure('unanswered', 'HTTP 504', 504)
    }
    return { status: answer.status, text: await answer.text(), isRepeatable }
  } catch (error) {
    const { name, message, cause } = error as {
      name?: string
      message?: string
      cause?: { code?: string; message?: string }
    }
    const words = `${cause?.code ?? name ?? ''} ${cause?.message ?? message ?? ''}`.trim().slice(0, MAX_WORDS_LENGTH)
    return deliveryFailure(isRepeatable || neverArrived(error) ? networkProblem(error) : 'unanswered', words)
  }
}

/** Problems that end a call before its request was sent. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'no-such-host',
  'connection-refused',
  'certificate',
  'no-encryption',
  'forbidden-address',
])

const neverArrived = (error: unknown): boolean =>
  BEFORE_SENDING.has(networkProblem(error)) ||
  networkCode(error) === 'UND_ERR_CONNECT_TIMEOUT' ||
  isConnectError((error as { cause?: unknown }).cause)

/** Did no connection come about, whatever the reason? A name with several addresses has an error for each that was tried. */
function isConnectError(cause: unknown): boolean {
  const { syscall, errors } = Object(cause) as { syscall?: string; errors?: unknown[] }
  return errors ? errors.length > 0 && errors.every(isConnectError) : syscall === 'connect'
}

export const isOutcome = (answer: ProviderResponse | DeliveryOutcome): answer is DeliveryOutcome => 'sent' in answer

/** Of an SMS provider that doesn't recognise repetitions: a notice may come twice, but a code comes once, and can be requested again. */
export const isRepeatableText = ({ kind }: SmsMessage): boolean => kind === 'notice'

/**
 * An answer that is not the provider's: from a proxy, a login page, an overload. Its content is not repeated: testing settings must not
 * become a way to read other servers.
 */
export function unexpectedResponse({ status, isRepeatable }: ProviderResponse): DeliveryOutcome {
  const words = `HTTP ${status}`
  // A proxy that lost the provider's answer doesn't know either; one that is too busy (503) passed nothing on.
  if (status >= 500 && status !== 503 && !isRepeatable) return deliveryFailure('unanswered', words, status)
  if (status === 429 || status >= 500) return deliveryFailure('busy', words, status)
  return deliveryFailure('unintelligible', words, status)
}

/** The JSON of an answer; null if it is not JSON. */
export function parseJson({ text }: ProviderResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
