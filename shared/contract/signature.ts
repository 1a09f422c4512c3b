/**
 * The web application's app key, which is public: it provides integrity and, with `uuids`, replay protection, never
 * authentication.
 */
export const WEB_APP_KEY = 'gatehouse-web'

/** A request whose `timestamp` differs by more is refused; the refusal contains the server's time. */
export const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000

/**
 * The text covered by `sign`: `timestamp \n METHOD \n path \n sorted query \n body`. The query is sorted by name, then
 * value, each pair percent-encoded as by `encodeURIComponent`; the body is empty for uploads.
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
