/** A failed call: refused by the server (`code` from the contract), or without an answer. */
export class Refusal extends Error {
  /** HTTP status; 0 without an answer. */
  readonly state: number
  /**
   * Such as `password.too-weak`; `network.unreachable`, `network.timed-out`, `network.gateway-timed-out` are the
   * client's own.
   */
  readonly code: string
  readonly data: unknown
  /** For the help desk; also in the server's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  constructor(state: number, code: string, message: string, detail: RefusalDetail = {}) {
    super(message)
    this.state = state
    this.code = code
    this.data = detail.data ?? null
    this.requestId = detail.requestId
    this.retryAfter = detail.retryAfter
  }
}

type RefusalDetail = { data?: unknown; requestId?: string | undefined; retryAfter?: number | undefined }

/** Narrows an error of a query or mutation, optionally to one code. */
export const isRefusal = (error: unknown, code?: string): error is Refusal =>
  error instanceof Refusal && (code === undefined || error.code === code)

/** The message of a refusal whose code starts with one of the prefixes, for one field of a form. */
export const refusalMessage = (error: unknown, ...prefixes: string[]): string | undefined =>
  isRefusal(error) && prefixes.some((prefix) => error.code.startsWith(prefix)) ? error.message : undefined
