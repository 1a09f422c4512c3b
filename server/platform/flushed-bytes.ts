import type { Socket } from 'node:net'

/** Node itself reads these to see whether a long write progresses; `writableLength` drops only when all of it is sent. */
type Handle = { _handle?: { bytesWritten?: number; writeQueueSize?: number } | null }

/** How many of the bytes written to a socket the system has accepted; bytes still queued in the process don't count. */
export function flushedBytes(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as Handle)._handle ?? {}
  return bytesWritten - writeQueueSize
}
