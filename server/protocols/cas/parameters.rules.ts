import { TICKET_METHODS, type TicketMethod } from '#shared/contract/sign-in.ts'

/** A parameter given exactly once and not empty. Names are case-sensitive (protocol 2.1.1). */
export function text(query: unknown, name: string): string | null {
  const value = (query as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Clients send `true`; presence counts, except for values that plainly mean "no". */
export function flag(query: unknown, name: string): boolean {
  const value = (query as Record<string, unknown> | null | undefined)?.[name]
  return value !== undefined && !/^(|0|false)$/i.test(String(value))
}

/** A service given twice matches no registration. */
const AMBIGUOUS = 'ambiguous:'

export type LoginParameters = {
  service: string | null
  renew: boolean
  gateway: boolean
  method: TicketMethod
}

const serviceParameter = (query: unknown, name: string): string | null =>
  Array.isArray((query as Record<string, unknown> | null | undefined)?.[name]) ? AMBIGUOUS : text(query, name)

/**
 * Reads the parameters of /login from the query, `service` also from a form's hidden field. Clients of SAML 1.1 call it `TARGET`,
 * and look for the ticket in `SAMLart`.
 */
export function loginParameters(query: unknown, body?: unknown): LoginParameters {
  const named = serviceParameter(query, 'service') ?? text(body, 'service')
  const service = named ?? serviceParameter(query, 'TARGET')
  const renew = flag(query, 'renew')
  return {
    service,
    renew,
    // With renew it is ignored, without a service meaningless (protocol 2.1.1).
    gateway: flag(query, 'gateway') && !renew && service !== null,
    method: named === null && service !== null ? 'SAMLart' : parseMethod(text(query, 'method')),
  }
}

/** Any other value means a redirect (protocol 2.1.1). */
const parseMethod = (method: string | null): TicketMethod =>
  TICKET_METHODS.find((one) => one.toUpperCase() === method?.toUpperCase()) ?? 'GET'

/** `method=HEADER`: the ticket in a header of our answer, which no browser would pass to the application. */
export const wantsHeader = (query: unknown): boolean => text(query, 'method')?.toUpperCase() === 'HEADER'

/** What the login form must pass on besides the service. */
export const preservedParameters = ({ renew, method }: LoginParameters): Record<string, string> => ({
  ...(renew && { renew: 'true' }),
  ...(method !== 'GET' && { method }),
})

/** A path of ours with `service` and the other parameters to keep, each encoded once more. */
export function withLoginParameters(
  path: string,
  parameters: LoginParameters,
  more: Record<string, string> = {},
): string {
  const service = parameters.service === null ? [] : [['service', parameters.service] as const]
  const pairs = [...service, ...Object.entries({ ...preservedParameters(parameters), ...more })]
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** A received URL as a header can carry it: non-ASCII characters percent-encoded, as browsers send them anyway. */
export const toHeaderUrl = (address: string): string =>
  address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
