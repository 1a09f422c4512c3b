import { parseWebAddress } from './redirect-target.ts'

const MAX_LENGTH = 2000

/**
 * `page` opened by people; may have a fragment, which some applications use for routing · `exact` called or redirected
 * to exactly as written · `service` exact, or a folder and everything below it, ending in `/**` · `redirect` the target
 * of codes and tokens.
 */
export type AddressKind = 'page' | 'exact' | 'service' | 'redirect'

/** The problems of an address; each has the message `address-problem.<name>`. */
export type AddressProblem = 'not-web' | 'host' | 'dot-segment' | 'wildcard' | 'prefix' | 'insecure'

const parseUsable = (value: string): URL | null => (value.length <= MAX_LENGTH ? parseWebAddress(value) : null)

/** Why `usable` refuses the address. */
const unusableProblem = (value: string): AddressProblem => (/^https?:\/\/[^/?#]*\*/i.test(value) ? 'host' : 'not-web')

/**
 * `/./` and `/../`, also encoded or with a parameter after the dots: the effective folder differs from the visible one.
 */
const DOT_SEGMENT = /(\/|%2f|%5c)(\.|%2e){1,2}(?=\/|%2f|%5c|;|%3b|$)/i

const hasDotSegment = (value: string): boolean =>
  DOT_SEGMENT.test(value.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''))

/** Addresses of the person's own device, where a program waits for the answer: nobody in between can read it. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || /^127(\.\d+){3}$|^\[::1\]$/.test(hostname)

/** Why an address can't be registered; null if it can. */
export function addressProblem(kind: AddressKind, value: string): AddressProblem | null {
  if (kind === 'service') return serviceProblem(value)
  const url = parseUsable(value)
  if (!url) return unusableProblem(value)
  if (kind === 'page') return null
  if (hasDotSegment(value)) return 'dot-segment'
  if (/[#*]/.test(value)) return 'wildcard'
  return kind === 'redirect' && url.protocol !== 'https:' && !isLoopback(url) ? 'insecure' : null
}

function serviceProblem(value: string): AddressProblem | null {
  const isPrefix = value.endsWith('/**')
  if (!parseUsable(isPrefix ? value.slice(0, -2) : value)) return unusableProblem(value)
  if (hasDotSegment(value)) return 'dot-segment'
  const rest = isPrefix ? value.slice(0, -3) : value
  return /[#*]/.test(rest) || (isPrefix && rest.includes('?')) ? 'prefix' : null
}
