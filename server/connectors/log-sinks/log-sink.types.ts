import type { LogStreamFields, LogStreamProblem } from '#shared/contract/log-streams.ts'
import { OutsideFault } from '../outside-fault.types.ts'

/** A record as it is sent: `test` is not a real one, but shows that one would arrive. */
export type StreamRecord = {
  log: 'login' | 'visit' | 'audit' | 'test'
  id: string
  /** ISO 8601, UTC. */
  at: string
} & Readonly<Record<string, unknown>>

/** The destination of a stream; with the decrypted secret. */
export type LogSinkDestination = Pick<LogStreamFields, 'host' | 'port' | 'tls' | 'ca' | 'facility' | 'url' | 'secret'>

/**
 * Sends a batch; resolves when the other side has accepted all of it.
 * @throws LogSinkFault if it may not have: the same batch is sent again.
 */
export type SendBatch = (
  destination: LogSinkDestination,
  batch: { records: readonly StreamRecord[]; sender: string },
) => Promise<void>

export type LogSinkProblem = LogStreamProblem

/** A batch did not arrive; `words` is the message of the other side or of the system. */
export class LogSinkFault extends OutsideFault<LogSinkProblem> {}
