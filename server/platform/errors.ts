/** A refusal that the caller is told about: a stable code, an HTTP status, and values for the translated sentence. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly params: Record<string, string | number>
  /** Seconds for a `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** What the client needs to go on, such as the captcha kind; sent as `data`. */
  readonly data: unknown

  constructor(code: string, status: number, detail: RefusalDetail = {}) {
    super(code)
    this.code = code
    this.status = status
    this.params = detail.params ?? {}
    this.retryAfter = detail.retryAfter
    this.data = detail.data ?? null
  }
}

type RefusalDetail = { params?: Record<string, string | number>; retryAfter?: number; data?: unknown }

type Constructors<T> = { [Code in keyof T]: (detail?: RefusalDetail) => Refusal }

const declared = new Map<string, number>()

/**
 * Declares a feature's refusals as `code: http status`. The message is the locale key `errors.<code>`.
 * Every declared code must have a message in each language (a test checks it).
 */
export function defineErrors<const T extends Record<string, number>>(table: T): Constructors<T> {
  const entries = Object.entries(table).map(([code, status]) => {
    declared.set(code, status)
    return [code, (detail?: RefusalDetail) => new Refusal(code, status, detail)]
  })
  return Object.fromEntries(entries) as Constructors<T>
}

/** Every refusal code declared so far with its status, for OpenAPI and for the translation test. */
export const declaredErrors = (): ReadonlyMap<string, number> => declared

export const errors = defineErrors({
  'request.invalid': 400,
  'request.malformed': 400,
  'request.bad-signature': 403,
  'request.clock-skew': 403,
  'request.replayed': 403,
  'request.cross-site': 403,
  'request.not-found': 404,
  'request.method-not-allowed': 405,
  'request.too-large': 413,
  'request.too-many': 429,
  'request.unsupported-media-type': 415,
  'session.required': 401,
  /** The same, and why: one more login than allowed was made elsewhere. */
  'session.ended-for-newer': 401,
  'session.limited': 403,
  'session.second-factor-required': 403,
  'session.profile-incomplete': 403,
  'permission.denied': 403,
  'version.conflict': 409,
  'settings.set-by-file': 409,
  'settings.secret-needed': 422,
  'list.too-deep': 400,
  'service.unavailable': 503,
  'service.busy': 503,
  'server.error': 500,
})
