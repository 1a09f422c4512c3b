/**
 * The web application's own app key. It is public by nature: it gives integrity and, with `uuids`, replay protection,
 * never authentication.
 */
export const WEB_APP_KEY = 'gatehouse-web'

/** A request whose `timestamp` is further off than this is refused; the refusal carries the server's time. */
export const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000

/**
 * The text that `sign` covers: `timestamp \n METHOD \n path \n sorted query \n body`.
 * The query is sorted by name, then value, each pair percent-encoded as `encodeURIComponent` does; the body is empty for uploads.
 */
export function textToSign(
  timestamp: string,
  method: string,
  path: string,
  query: URLSearchParams,
  body: string,
): string {
  const pairs = [...query.entries()].map((pair) => pair.map(encodeURIComponent) as [string, string])
  pairs.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
  return [timestamp, method.toUpperCase(), path, pairs.map((pair) => pair.join('=')).join('&'), body].join('\n')
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
