import { notSent, type Outcome } from '../sending.ts'

const ANSWER_MS = 10_000
const MOST_WORDS = 300

export type SignedRequest = { url: string; headers: Record<string, string>; body: string }

export type Answer = { status: number; text: string }

/** Posts to a provider. @returns its answer, or why there is none; nothing is followed elsewhere. */
export async function postSigned(call: typeof fetch, { url, headers, body }: SignedRequest): Promise<Answer | Outcome> {
  try {
    // An empty text would get a content type of its own, which nobody has signed.
    const signal = AbortSignal.timeout(ANSWER_MS)
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
    const words = `${cause?.code ?? name ?? ''} ${cause?.message ?? message ?? ''}`.trim().slice(0, MOST_WORDS)
    if (name === 'TimeoutError' || /TIMEOUT/.test(words)) return notSent('timeout', words)
    if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(cause?.code ?? '')) return notSent('certificate', words)
    return notSent('unreachable', words)
  }
}

export const isOutcome = (answer: Answer | Outcome): answer is Outcome => 'sent' in answer

/**
 * An answer that is none of the provider's own: a proxy's, a login page, an overload. What it says is not repeated: a test of
 * settings must not become a way to read what stands on other servers.
 */
export function oddAnswer({ status }: Answer): Outcome {
  const words = `HTTP ${status}`
  if (status === 429 || status >= 500) return notSent('busy', words)
  return notSent('unintelligible', words)
}

/** The JSON of an answer; null when it is none. */
export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
