import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { randomToken } from '../crypto.ts'
import { closeGracefully } from './bounded-server.ts'
import { fixedHeaders } from './headers.ts'

const STATUS_BY_ERROR: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'request.too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request.malformed'],
}

/** Answers input that is not HTTP, in the common error shape, and closes the connection: nothing after it can be trusted. */
export function handleClientError(config: Config) {
  const headers = Object.entries(fixedHeaders(config)).map(([name, value]) => `${name}: ${value}\r\n`)
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, reason, code] = STATUS_BY_ERROR[error.code ?? ''] ?? [400, 'Bad Request', 'request.malformed']
    const body = JSON.stringify({ state: status, message: reason, data: null, code, requestId: randomToken(20) })
    socket.write(
      `HTTP/1.1 ${status} ${reason}\r\n${headers.join('')}content-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
    closeGracefully(socket)
  }
}
