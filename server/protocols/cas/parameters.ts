/** A parameter given once and not empty. Names are case-sensitive (protocol 2.1.1). */
export function text(query: unknown, name: string): string | null {
  const value = (query as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Clients send `true`; presence counts, except for what plainly means "no". */
export function flag(query: unknown, name: string): boolean {
  const value = (query as Record<string, unknown> | null | undefined)?.[name]
  return value !== undefined && !/^(|0|false)$/i.test(String(value))
}

/** A service given twice is nobody's service: it matches no registration. */
const AMBIGUOUS = 'ambiguous:'

export type LoginParameters = {
  service: string | null
  renew: boolean
  gateway: boolean
  /** How the ticket travels; anything but POST is a redirect. */
  method: 'GET' | 'POST'
}

/** Reads the parameters of /login from the query, `service` also from a form's hidden field. */
export function loginParameters(query: unknown, body?: unknown): LoginParameters {
  const given = (query as Record<string, unknown> | null | undefined)?.['service']
  const service = Array.isArray(given) ? AMBIGUOUS : (text(query, 'service') ?? text(body, 'service'))
  const renew = flag(query, 'renew')
  return {
    service,
    renew,
    // With renew it is ignored, without a service meaningless (protocol 2.1.1).
    gateway: flag(query, 'gateway') && !renew && service !== null,
    method: text(query, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
  }
}

/** What the login form must hand on besides the service. */
export const carried = ({ renew, method }: LoginParameters): Record<string, string> => ({
  ...(renew && { renew: 'true' }),
  ...(method === 'POST' && { method }),
})

/** An address below our own with `service` and what else must survive, each encoded once more. */
export function addressWith(path: string, parameters: LoginParameters, more: Record<string, string> = {}): string {
  const service = parameters.service === null ? [] : [['service', parameters.service] as const]
  const pairs = [...service, ...Object.entries({ ...carried(parameters), ...more })]
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** A received address as a header can carry it: characters beyond ASCII percent-encoded, as browsers send them anyway. */
export const headerAddress = (address: string): string =>
  address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
