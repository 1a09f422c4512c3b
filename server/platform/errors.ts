/** An error that the caller is told: a stable code, an HTTP status, and parameters of the translated message. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly params: Record<string, string | number>
  /** Seconds for a `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** What the client needs to continue, such as the captcha kind; sent as `data`. */
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
 * Declares a feature's errors as `code: http status`. The message is the locale key `errors.<code>`. A test checks that every declared code
 * has a message in each language.
 */
export function defineErrors<const T extends Record<string, number>>(table: T): Constructors<T> {
  const entries = Object.entries(table).map(([code, status]) => {
    declared.set(code, status)
    return [code, (detail?: RefusalDetail) => new Refusal(code, status, detail)]
  })
  return Object.fromEntries(entries) as Constructors<T>
}

/** Every error code declared so far with its status, for OpenAPI and for the translation test. */
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
  /** As `session.required`, because another login exceeded the session limit. */
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
