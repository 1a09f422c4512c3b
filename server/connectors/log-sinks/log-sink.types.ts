import type { LogStreamFields } from '#shared/contract/log-streams.ts'
import { OutsideFault } from '../outside-fault.types.ts'

/** A record as it leaves: `test` is none, but shows that one would arrive. */
export type StreamRecord = {
  log: 'login' | 'visit' | 'audit' | 'test'
  id: string
  /** ISO 8601, UTC. */
  at: string
} & Readonly<Record<string, unknown>>

/** Where a stream goes; the secret is the opened one. */
export type LogSinkPlace = Pick<LogStreamFields, 'host' | 'port' | 'tls' | 'ca' | 'facility' | 'url' | 'secret'>

/**
 * Sends a batch; returned means that the other side has taken all of it.
 * @throws LogSinkFault when it may not have: the same batch is sent again.
 */
export type SendBatch = (
  place: LogSinkPlace,
  batch: { records: readonly StreamRecord[]; sender: string },
) => Promise<void>

export type LogSinkProblem = 'unreachable' | 'tls' | 'timeout' | 'cut-off' | 'refused'

/** A batch did not arrive; `words` is what the other side or the system said. */
export class LogSinkFault extends OutsideFault<LogSinkProblem> {}
