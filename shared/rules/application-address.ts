import { parseWebAddress } from './redirect-target.ts'

const MAX_LENGTH = 2000

/**
 * `page` what people open; a fragment is how some applications name their pages · `exact` what we call or redirect to, exactly as
 * written · `service` exact, or a folder and everything below it, ending in `/**` · `redirect` where codes and tokens go.
 */
export type AddressKind = 'page' | 'exact' | 'service' | 'redirect'

/** What is wrong with an address; each has the message `address-problem.<name>`. */
export type AddressProblem = 'not-web' | 'host' | 'dot-segment' | 'wildcard' | 'prefix' | 'insecure'

const parseUsable = (value: string): URL | null => (value.length <= MAX_LENGTH ? parseWebAddress(value) : null)

/** Why `usable` takes no such address. */
const unusableProblem = (value: string): AddressProblem => (/^https?:\/\/[^/?#]*\*/i.test(value) ? 'host' : 'not-web')

/** `/./` and `/../`, also encoded or with a parameter behind the dots: what is meant is another folder than what can be read. */
const DOT_SEGMENT = /(\/|%2f|%5c)(\.|%2e){1,2}(?=\/|%2f|%5c|;|%3b|$)/i

const hasDotSegment = (value: string): boolean =>
  DOT_SEGMENT.test(value.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''))

/** Addresses of the person's own device, where a program waits for the answer: nobody on the way can read it. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || /^127(\.\d+){3}$|^\[::1\]$/.test(hostname)

/** Why an application can't be registered with this address; null when it can. */
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
