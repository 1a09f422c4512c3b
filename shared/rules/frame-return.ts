import type { ThirdPartyFrame } from '../contract/third-party-accounts.ts'

/** What reached the page as a message. */
type Posted = { origin: string; source: unknown; data: unknown }

type Listening = Pick<ThirdPartyFrame, 'origin' | 'callbackUrl' | 'state'> & {
  /** The window inside our own frame. */
  frame: unknown
  /** Of our page: the callback itself, when the vendor's page went there within the frame, speaks for it. */
  ownOrigin: string
}

/** WeCom posts the address as a text, DingTalk within an object. */
function postedText(data: unknown): string | null {
  if (typeof data === 'string') return data
  const { success, redirectUrl } = (data ?? {}) as { success?: unknown; redirectUrl?: unknown }
  return success === true && typeof redirectUrl === 'string' ? redirectUrl : null
}

/**
 * Where the page goes on after a vendor's frame has posted its callback: always our own callback, and only with the state that this
 * frame was given. Null for everything else that anybody posts.
 */
export function returnedAddress(listening: Listening, { origin, source, data }: Posted): string | null {
  const { frame, ownOrigin, callbackUrl, state } = listening
  if (frame === null || source !== frame || (origin !== listening.origin && origin !== ownOrigin)) return null
  const text = postedText(data)
  if (text === null || !URL.canParse(text)) return null
  const { origin: to, pathname, searchParams, search } = new URL(text)
  const states = searchParams.getAll('state')
  const isOurs = to + pathname === callbackUrl && states.length === 1 && states[0] === state
  return isOurs ? callbackUrl + search : null
}

/** Did a vendor's frame say that it came to nothing, such as for a code that ran out? */
export const isFailure = ({ frame, origin: expected }: Listening, { origin, source, data }: Posted): boolean =>
  frame !== null && source === frame && origin === expected && (data as { success?: unknown } | null)?.success === false
