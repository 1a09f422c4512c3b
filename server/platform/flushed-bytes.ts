import type { Socket } from 'node:net'

/** Node itself asks these to learn whether a long write goes on; `writableLength` falls only when all of it is gone. */
type Handle = { _handle?: { bytesWritten?: number; writeQueueSize?: number } | null }

/** How many bytes of what was written to a socket the system has taken; those that still wait in the process don't count. */
export function flushedBytes(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as Handle)._handle ?? {}
  return bytesWritten - writeQueueSize
}
