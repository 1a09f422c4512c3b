/**
 * Why a call to another system got no answer. Each has the messages `vendor-fault.<name>` and `message-reason.<name>`.
 */
export const NETWORK_PROBLEMS = [
  /** Its name can't be resolved. */
  'no-such-host',
  /** Nothing listens there, or a firewall refuses. */
  'connection-refused',
  /** It shows a certificate that can't be trusted. */
  'certificate',
  /** No encrypted connection comes about, as with a port that speaks something else. */
  'no-encryption',
  'timeout',
  /** Its answer is longer than any proper one. */
  'too-large',
  /** Its name leads to an address that is never called. */
  'forbidden-address',
  'unreachable',
] as const
export type NetworkProblem = (typeof NETWORK_PROBLEMS)[number]
