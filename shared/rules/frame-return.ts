import type { ThirdPartyFrame } from '../contract/third-party-accounts.ts'

/** A message received by the page. */
type Posted = { origin: string; source: unknown; data: unknown }

type Listening = Pick<ThirdPartyFrame, 'origin' | 'callbackUrl' | 'state'> & {
  /** The window inside our own frame. */
  frame: unknown
  /** Of our page: the callback itself speaks for the vendor's page when that navigates to it within the frame. */
  ownOrigin: string
}

/** WeCom posts the address as a string, DingTalk within an object. */
function postedText(data: unknown): string | null {
  if (typeof data === 'string') return data
  const { success, redirectUrl } = (data ?? {}) as { success?: unknown; redirectUrl?: unknown }
  return success === true && typeof redirectUrl === 'string' ? redirectUrl : null
}

/**
 * Where the page continues after a vendor's frame has posted its callback: always our own callback, and only with this
 * frame's state. Null for any other message.
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

/** Did a vendor's frame report a failure, such as an expired code? */
export const isFailure = ({ frame, origin: expected }: Listening, { origin, source, data }: Posted): boolean =>
  frame !== null && source === frame && origin === expected && (data as { success?: unknown } | null)?.success === false
