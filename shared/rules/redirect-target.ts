/** Anything a browser would strip or reinterpret: C0 controls, space, DEL, backslash. */
const TREACHEROUS = /[\u0000-\u0020\u007f\\]/

const LONGEST_ADDRESS = 4096

/**
 * The one parser of addresses that somebody else hands us (`service`, `redirectUrl`, `post_logout_redirect_uri`, …).
 * @returns the parsed address, or null unless it is an absolute http(s) address without user-info, control characters,
 * white space or backslash, written with `//`.
 */
export function parseWebAddress(input: unknown): URL | null {
  if (typeof input !== 'string' || input.length > LONGEST_ADDRESS || TREACHEROUS.test(input)) return null
  if (!/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(input) || !URL.canParse(input)) return null
  const url = new URL(input)
  // A trailing dot names another origin than the registered one.
  if (url.username || url.password || !url.hostname || url.hostname.endsWith('.')) return null
  return url
}

/** Encoded separators, and `..;` however it is encoded, are read differently by different servers, so a prefix can't vouch for them. */
const AMBIGUOUS_PATH = /%2f|%5c|%00|\/(\.|%2e){1,2}(;|%3b)/i

/** A registered address, read once: parsing costs more than all else that a comparison does. */
export type RegisteredAddress = { base: URL; isPrefix: boolean }

/** Reads a registered address; null when it is no usable one, and so covers nothing. */
export function readRegistered(registered: string): RegisteredAddress | null {
  const isPrefix = registered.endsWith('/**')
  const base = parseWebAddress(isPrefix ? registered.slice(0, -2) : registered)
  return base && { base, isPrefix }
}

/**
 * Does a registered address cover `url`? Without a trailing `/**`: scheme, host, port, path and query equal.
 * With it: the folder itself and whole segments below, any query. The fragment never matters.
 */
export function covers({ base, isPrefix }: RegisteredAddress, url: URL): boolean {
  if (base.protocol !== url.protocol || base.host !== url.host) return false
  if (!isPrefix) return base.pathname === url.pathname && base.search === url.search
  if (AMBIGUOUS_PATH.test(url.pathname)) return false
  return url.pathname.startsWith(base.pathname) || `${url.pathname}/` === base.pathname
}

/** `covers` for an address as it is stored. */
export function coversAddress(registered: string, url: URL): boolean {
  const address = readRegistered(registered)
  return address !== null && covers(address, url)
}

/**
 * The form in which the service of a ticket and the service of its validation are compared (exactly): scheme and host in
 * lower case, default port removed, fragment and `;jsessionid=…` dropped.
 */
export function canonicalService(url: URL): string {
  const path = url.pathname.replace(/;jsessionid=[^/;]*/gi, '')
  return `${url.protocol}//${url.host}${path}${url.search}`
}

/**
 * A return address inside our own pages.
 * @param base `<PUBLIC_URL>/auth_web/`
 * @returns an absolute address below `base`, or null for anything else.
 */
export function ownAddress(input: unknown, base: string): string | null {
  if (typeof input !== 'string' || input.length > LONGEST_ADDRESS || TREACHEROUS.test(input)) return null
  if (!URL.canParse(input, base)) return null
  const url = new URL(input, base)
  const home = new URL(base)
  if (url.origin !== home.origin || url.username || url.password) return null
  const path = url.pathname.replace(/^\/{2,}/, '/')
  if (AMBIGUOUS_PATH.test(path) || !`${path}/`.startsWith(home.pathname)) return null
  return home.origin + path + url.search + url.hash
}

/** Puts `ticket` into a service address as received: before the fragment, replacing none of its characters but an old ticket. */
export function withTicket(service: string, ticket: string): string {
  const [beforeFragment = '', ...fragment] = service.split('#')
  const [path = '', ...query] = beforeFragment.split('?')
  const kept = query
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && !/^ticket(=|$)/.test(pair))
  const search = [...kept, `ticket=${encodeURIComponent(ticket)}`].join('&')
  return `${path}?${search}${fragment.length > 0 ? `#${fragment.join('#')}` : ''}`
}
