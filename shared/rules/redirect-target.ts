/** Anything a browser would strip or reinterpret: C0 controls, space, DEL, backslash. */
const UNSAFE_CHARACTERS = /[\u0000-\u0020\u007f\\]/

const MAX_ADDRESS_LENGTH = 4096

/**
 * A name or IP address that a browser can look up (RFC 1123 2.1; underscores occur inside institutions). WHATWG URL
 * also accepts `*`, other characters and empty labels, which name no host.
 */
const HOST = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]+\])$/
const MAX_HOST_LENGTH = 253

/**
 * The one parser of untrusted addresses (`service`, `redirectUrl`, `post_logout_redirect_uri`, …).
 * @returns the parsed address, or null unless it is an absolute http(s) address of a possible host, without user-info,
 * control characters, white space or backslash, written with `//`.
 */
export function parseWebAddress(input: unknown): URL | null {
  if (typeof input !== 'string' || input.length > MAX_ADDRESS_LENGTH || UNSAFE_CHARACTERS.test(input)) return null
  if (!/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(input) || !URL.canParse(input)) return null
  const url = new URL(input)
  if (url.username || url.password || url.hostname.length > MAX_HOST_LENGTH) return null
  // A trailing dot would also name another origin than the registered one.
  return HOST.test(url.hostname) ? url : null
}

/** Servers interpret encoded separators and `..;`, however encoded, differently, so a prefix can't cover them. */
const AMBIGUOUS_PATH = /%2f|%5c|%00|\/(\.|%2e){1,2}(;|%3b)/i

/** A registered address, parsed once: parsing costs more than the rest of a comparison. */
export type RegisteredAddress = { base: URL; isPrefix: boolean }

/** Parses a registered address; null if unusable, so that it covers nothing. Fragments can't be registered. */
export function parseRegisteredAddress(registered: string): RegisteredAddress | null {
  const isPrefix = registered.endsWith('/**')
  const base = parseWebAddress(isPrefix ? registered.slice(0, -2) : registered)
  return base && !base.href.includes('#') ? { base, isPrefix } : null
}

/**
 * Does a registered address cover `url`? Without a trailing `/**`: equal scheme, host, port, path and query, and no
 * fragment, which would lead to another page than the registered one. With it: the folder itself and whole segments
 * below, any query and fragment.
 */
export function covers({ base, isPrefix }: RegisteredAddress, url: URL): boolean {
  if (base.protocol !== url.protocol || base.host !== url.host) return false
  if (!isPrefix) return base.pathname === url.pathname && base.search === url.search && !url.href.includes('#')
  if (AMBIGUOUS_PATH.test(url.pathname)) return false
  return url.pathname.startsWith(base.pathname) || `${url.pathname}/` === base.pathname
}

/** `covers` for a stored address. */
export function coversAddress(registered: string, url: URL): boolean {
  const address = parseRegisteredAddress(registered)
  return address !== null && covers(address, url)
}

/** `ticket` for CAS, `SAMLart` for its SAML 1.1 clients. */
export type TicketParameter = 'ticket' | 'SAMLart'

const isTicket = (pair: string): boolean => /^(ticket|SAMLart)(=|$)/.test(pair)

/**
 * The canonical form for the exact comparison of a ticket's service with that of its validation: scheme and host in
 * lower case; default port, fragment, `;jsessionid=…` and tickets removed. Clients remove tickets from their own
 * address before the login, before the validation, or never.
 */
export function canonicalService(url: URL): string {
  const path = url.pathname.replace(/;jsessionid=[^/;]*/gi, '')
  const pairs = url.search.slice(1).split('&')
  const query = pairs.filter((pair) => pair !== '' && !isTicket(pair)).join('&')
  return `${url.protocol}//${url.host}${path}${query && `?${query}`}`
}

/**
 * A return address within our own pages.
 * @param base `<PUBLIC_URL>/auth_web/`
 * @returns an absolute address below `base`, or null for anything else.
 */
export function parseOwnAddress(input: unknown, base: string): string | null {
  if (typeof input !== 'string' || input.length > MAX_ADDRESS_LENGTH || UNSAFE_CHARACTERS.test(input)) return null
  if (!URL.canParse(input, base)) return null
  const url = new URL(input, base)
  const home = new URL(base)
  if (url.origin !== home.origin || url.username || url.password) return null
  const path = url.pathname.replace(/^\/{2,}/, '/')
  if (AMBIGUOUS_PATH.test(path) || !`${path}/`.startsWith(home.pathname)) return null
  return home.origin + path + url.search + url.hash
}

function splitService(service: string) {
  const [beforeFragment = '', ...fragment] = service.split('#')
  const [path = '', ...query] = beforeFragment.split('?')
  return { path, pairs: query.join('?').split('&'), fragment: fragment.length > 0 ? `#${fragment.join('#')}` : '' }
}

/** A service address as received, without the ticket of an earlier login that a client left in it. */
export function withoutTicket(service: string): string {
  const { path, pairs, fragment } = splitService(service)
  const kept = pairs.filter((pair) => !isTicket(pair))
  if (kept.length === pairs.length) return service
  return `${path}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`
}

/**
 * Adds a ticket to a service address as received: before the fragment, replacing only an old ticket. An application's
 * own parameter of the same name is replaced: clients read the first or the last of two.
 */
export function withTicket(service: string, ticket: string, parameter: TicketParameter = 'ticket'): string {
  const { path, pairs, fragment } = splitService(service)
  const kept = pairs.filter((pair) => pair !== '' && !isTicket(pair))
  return `${path}?${[...kept, `${parameter}=${encodeURIComponent(ticket)}`].join('&')}${fragment}`
}
