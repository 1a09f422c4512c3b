/** A call that did not do what was asked: a refusal of the server (`code` from the contract) or no answer at all. */
export class Refusal extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly state: number
  /** Such as `password.too-weak`; `network.unreachable`, `network.timed-out`, `network.gateway-timed-out` are our own. */
  readonly code: string
  readonly data: unknown
  /** For the help desk; also found in the server's log. */
  readonly requestId: string | undefined
  /** Seconds after which trying again makes sense. */
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

/** Narrows what a query or mutation threw, optionally to one code. */
export const isRefusal = (error: unknown, code?: string): error is Refusal =>
  error instanceof Refusal && (code === undefined || error.code === code)

/** The message of a refusal that belongs to one field of a form: its code begins so. */
export const refusalMessage = (error: unknown, ...prefixes: string[]): string | undefined =>
  isRefusal(error) && prefixes.some((prefix) => error.code.startsWith(prefix)) ? error.message : undefined
