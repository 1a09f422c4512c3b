import type { NetworkProblem } from '#shared/contract/network-problems.ts'

export type { NetworkProblem }

/** By the codes of Node and of its HTTP client; the first that matches. */
const PROBLEMS: readonly (readonly [RegExp, NetworkProblem])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, 'no-such-host'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|ISSUER/, 'certificate'],
  [/SSL|TLS|^EPROTO$/, 'no-encryption'],
  [/TIMEOUT|TIMEDOUT/, 'timeout'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'too-large'],
  [/^ERR_ADDRESS_NEVER_CALLED$/, 'forbidden-address'],
]

/** Why a call got no answer, from the error of `fetch`, of reading its body, or of a socket. */
export function networkProblem(error: unknown): NetworkProblem {
  if ((error as { name?: string }).name === 'TimeoutError') return 'timeout'
  const code = networkCode(error) ?? ''
  return PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable'
}

/** The system's code of such an error, such as ECONNREFUSED; null: none. */
export function networkCode(error: unknown): string | null {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const found = cause?.code ?? code
  return typeof found === 'string' ? found : null
}
