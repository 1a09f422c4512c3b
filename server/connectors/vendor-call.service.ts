import { createHash } from 'node:crypto'
import { type AppToken, withAppToken } from './app-token.service.ts'
import { type CallBounds, callProvider } from './call-provider.service.ts'
import { type ConnectorContext, ConnectorFault, type ConnectorFaultReason } from './connector.types.ts'
import { textAtPointer } from './json-pointer.rules.ts'

/** Vendor codes that tell more than a fault reason, and the reason of each. */
const REASONS = {
  'too-many': 'unavailable',
  credentials: 'misconfigured',
  rights: 'misconfigured',
  /** The vendor doesn't accept calls from our address. */
  address: 'misconfigured',
  /** What was requested no longer exists. */
  gone: 'refused',
} as const satisfies Record<string, ConnectorFaultReason>

export type FaultClass = ConnectorFaultReason | keyof typeof REASONS

/** The meaning of a vendor's codes; all others: `refused`. */
export type FaultCodes = Partial<Record<FaultClass, readonly string[]>>

export type VendorCall = {
  /** Names the call in a fault. */
  step: string
  host: string
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Sent as JSON, by POST. */
  body?: object
  bounds?: CallBounds
  failsWith500?: boolean
}

/** The pointer to the error code of an answer; `innerCodeAt`: to a more specific one. */
type VendorAnswers = { codeAt: string; innerCodeAt?: string; codes: FaultCodes }

/**
 * One call of a vendor's API, whose answers report errors in a field, mostly with status 200.
 * @throws ConnectorFault with the vendor's code.
 */
export async function callVendor(
  context: ConnectorContext,
  { step, host, path, query = {}, headers = {}, body, bounds, failsWith500 = false }: VendorCall,
  { codeAt, innerCodeAt, codes }: VendorAnswers,
): Promise<Record<string, unknown>> {
  const search = new URLSearchParams(query).toString()
  const { status, document } = await callProvider(context, {
    step,
    url: host + path + (search === '' ? '' : `?${search}`),
    method: body ? 'POST' : 'GET',
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(bounds && { bounds }),
    failsWith500,
  })
  const code = textAtPointer(document, codeAt)
  if (status < 400 && (code === '' || code === '0')) return document as Record<string, unknown>
  const inner = innerCodeAt === undefined ? '' : textAtPointer(document, innerCodeAt)
  throw errorAnswer(step, { status, told: [inner, code].find((one) => /^[\w.:-]{1,60}$/.test(one)) ?? null }, codes)
}

function errorAnswer(
  step: string,
  { status, told }: { status: number; told: string | null },
  codes: FaultCodes,
): ConnectorFault {
  const code = told ?? String(status)
  // Vendors report errors in a field: without one, or where there is no such call, another server or a proxy has answered.
  const isElsewhere = (told === null || status === 404) && classOf(codes, code) === 'refused'
  return isElsewhere
    ? new ConnectorFault('unusable', `${step} ${status}`, String(status))
    : vendorFault(step, code, codes)
}

const isFiner = (one: FaultClass): one is keyof typeof REASONS => Object.hasOwn(REASONS, one)

function vendorFault(step: string, code: string, codes: FaultCodes): ConnectorFault {
  const found = classOf(codes, code)
  return new ConnectorFault(isFiner(found) ? REASONS[found] : found, `${step} ${code}`, code)
}

/** The meaning of a vendor's code. */
export function classOf(codes: FaultCodes, code: string): FaultClass {
  // Word codes have parts: `Forbidden.AccessDenied.IpNotInWhiteList`.
  const isOne = (known: string) => code === known || code.startsWith(`${known}.`)
  return (Object.keys(codes) as FaultClass[]).find((one) => codes[one]?.some(isOne)) ?? 'refused'
}

/** Is the error one of these vendor codes? */
export const isVendorCode = (error: unknown, codes: readonly string[]): error is ConnectorFault =>
  error instanceof ConnectorFault && codes.includes(error.vendorCode ?? '')

/** The result of a call; null if the vendor rejected it with one of these codes. */
export async function nullAt<T>(codes: readonly string[], answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (isVendorCode(error, codes)) return null
    throw error
  }
}

/** For checks: something made up must be rejected with one of these codes. An answer that accepts it proves nothing. */
export async function requireRejection(
  step: string,
  codes: readonly string[],
  answer: Promise<unknown>,
): Promise<void> {
  if ((await nullAt(codes, answer)) !== null) throw new ConnectorFault('unusable', `${step}: made-up value accepted`)
}

/** The cache key of an application's token: it depends on the secret. */
export const tokenKey = (host: string, application: string, secret: string): string =>
  `${host} ${application} ${createHash('sha256').update(secret).digest('base64url')}`

/** An application at a vendor, or a corporation with one of its secrets. */
export type VendorCredentials = { host: string; application: string; secret: string }

/** The same, with how its own token is requested. */
export type VendorApp = VendorCredentials & {
  tokenPath: string
  /** The names of the application and its secret in the token request. */
  tokenNames: readonly [string, string]
  answers: VendorAnswers
}

/** The token for a secret. @throws ConnectorFault */
export async function fetchAppToken(context: ConnectorContext, app: VendorApp): Promise<AppToken> {
  const { host, application, secret, tokenPath: path, tokenNames, answers } = app
  const query = { [tokenNames[0]]: application, [tokenNames[1]]: secret }
  const document = await callVendor(context, { step: 'token', host, path, query }, answers)
  const token = textAtPointer(document, '/access_token')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, expiresAt: new Date(context.now().getTime() + lifetimeOf(document, '/expires_in') * 1000) }
}

/** Tencent and DingTalk use the same numbers for an expired token. */
const TOKEN_ENDED = ['40014', '42001']

/** A call with an application's token; if it was invalidated early, a new one is fetched once. @throws ConnectorFault */
export async function callAsApp(context: ConnectorContext, app: VendorApp, call: Omit<VendorCall, 'host'>) {
  const { host, application, secret, answers } = app
  const token = {
    key: tokenKey(host, application, secret),
    fetchToken: () => fetchAppToken(context, app),
    ended: (error: unknown) => isVendorCode(error, TOKEN_ENDED),
  }
  return await withAppToken(context, token, (accessToken) =>
    callVendor(context, { ...call, host, query: { access_token: accessToken, ...call.query } }, answers),
  )
}

/** The code of a callback. @throws ConnectorFault `cancelled` if there is none, which is how vendors report that the person declined. */
export function codeOf(returned: Readonly<Record<string, string>>, names: readonly string[] = ['code']): string {
  const code = names.map((name) => returned[name]).find((value) => value) ?? ''
  if (code === '') throw new ConnectorFault('cancelled', 'authorize: no code')
  if (code.length > 2000) throw new ConnectorFault('unusable', 'authorize: code')
  return code
}

/** Seconds as vendors write them: a number, or a quoted one. */
export const lifetimeOf = (document: unknown, pointer: string): number =>
  Number(textAtPointer(document, pointer)) || 7200

/** The non-empty ones of some claims. */
export const presentClaims = <Name extends string>(claims: Record<Name, string>): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries<string>(claims).filter(([, text]) => text !== '')) as Partial<Record<Name, string>>
