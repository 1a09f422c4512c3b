import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { flushedBytes } from '../flushed-bytes.ts'

/** For all headers of a request; a longer one is rejected with 431. */
export const MAX_HEADER_BYTES = 16 * 1024
/** Requests that a connection may send ahead of the answers (pipelining, RFC 9112 section 9.3.2); hardly any client does. */
const MAX_PIPELINED_REQUESTS = 8
/** Memory for unsent answers, and requests that wait behind them, over all connections. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024
/** When the limit is reached, connections are cut down to this, so that not every further answer has to find one to cut. */
const TARGET_UNSENT_BYTES = MAX_UNSENT_BYTES * 0.75
/** How much of an unwanted body is read when its length is known. */
const MAX_DISCARDED_BYTES = 64 * 1024
const TICK_MS = 1000
/**
 * A client that accepts nothing of an answer for this long is disconnected. The system accepts more only when a third of its buffer is
 * free, which may be some megabytes: behind a proxy, a phone at 20 kB/s shows no progress for more than a minute.
 */
const MAX_STALLED_TICKS = 180
/** How long a rejected client has to read the answer, before what it still sends makes the system reset the connection. */
const LINGER_MS = 1000

type Exchange = { request: IncomingMessage; response: ServerResponse }

type Connection = {
  socket: Socket
  answering: Exchange | null
  waiting: Exchange[]
  /** Bytes that the system had accepted at the last look. */
  taken: number
  stalledTicks: number
}

type Options = {
  requestTimeout: number
  keepAliveTimeout: number
  headersTimeout: number
  /** Called with the number of connections that were cut, and why. */
  onDisconnect(count: number, reason: 'stalled' | 'memory'): void
}

/**
 * An HTTP/1.1 server whose memory does not depend on how clients read: one answer at a time per connection, a limit on unread data over all
 * of them, and no further reading of a body after the answer (RFC 9112 section 9.6).
 */
export function createBoundedServer(handle: RequestListener, options: Options): Server {
  const { requestTimeout, keepAliveTimeout, headersTimeout, onDisconnect } = options
  const connections = new WeakMap<Socket, Connection>()
  const busy = watchSlowReaders(onDisconnect)

  const serve = (connection: Connection, exchange: Exchange) => {
    const { request, response } = exchange
    connection.answering = exchange
    response.once('prefinish', () => {
      if (hasUnreadBody(request)) closeAfterAnswer(connection.socket, response)
      busy.added(response.writableLength)
    })
    response.once('close', () => {
      connection.answering = null
      const next = connection.socket.destroyed ? undefined : connection.waiting.shift()
      if (next) serve(connection, next)
      else busy.leave(connection)
    })
    busy.enter(connection)
    handle(request, response)
  }

  const server = createServer(
    // A missing Host header is rejected by our own hook: Node's answer would lack the security headers.
    { headersTimeout, connectionsCheckingInterval: 1000, maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    (request, response) => {
      const { socket } = request
      const connection = connections.get(socket) ?? { socket, answering: null, waiting: [], taken: 0, stalledTicks: 0 }
      connections.set(socket, connection)
      if (!connection.answering) return serve(connection, { request, response })
      connection.waiting.push({ request, response })
      if (connection.waiting.length > MAX_PIPELINED_REQUESTS) socket.destroy()
    },
  )
  server.requestTimeout = requestTimeout
  server.keepAliveTimeout = keepAliveTimeout
  server.once('close', busy.close)
  return server
}

/**
 * Is more of a body still to come than is worth reading to keep the connection? The answer to such a request says `Connection: close`; the
 * server then stops reading.
 */
export const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && !(Number(headers['content-length']) <= MAX_DISCARDED_BYTES)

function closeAfterAnswer(socket: Socket, response: ServerResponse): void {
  stopReading(socket)
  // Node would close at once, and the system then resets a connection with unread bytes: the answer might never arrive.
  socket.destroySoon = () => closeGracefully(socket)
  response.once('finish', () => closeGracefully(socket))
}

/** Closes a connection so that the other side can still read what it was sent; what it sends from now on is not read. */
export function closeGracefully(socket: Socket): void {
  stopReading(socket)
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function stopReading(socket: Socket): void {
  socket.pause()
  // Whoever reads or discards the rest of a request resumes the socket.
  socket.on('resume', () => socket.pause())
}

const unsentBytes = ({ answering, waiting }: Connection): number =>
  waiting.reduce(
    (sum, { request }) => sum + MAX_HEADER_BYTES + request.readableLength,
    answering?.response.writableLength ?? 0,
  )

/** Watches the connections with an answer in progress; runs only while there are any. */
function watchSlowReaders(onDisconnect: Options['onDisconnect']) {
  const busy = new Set<Connection>()
  let timer: NodeJS.Timeout | undefined
  /** At the last look, plus what was added since: never less than the actual amount. */
  let unsent = 0

  const disconnect = (connections: readonly Connection[], reason: 'stalled' | 'memory') => {
    for (const { socket } of connections) socket.destroy()
    if (connections.length > 0) onDisconnect(connections.length, reason)
  }
  const shedLoad = () => {
    const sizes = new Map([...busy].map((connection) => [connection, unsentBytes(connection)]))
    unsent = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    if (unsent <= MAX_UNSENT_BYTES) return
    // The one stalled longest goes first; of equals, the one that holds most.
    const worst = [...sizes].sort(([a, sizeA], [b, sizeB]) => b.stalledTicks - a.stalledTicks || sizeB - sizeA)
    const tooMany: Connection[] = []
    for (const [connection, size] of worst) {
      if (unsent <= TARGET_UNSENT_BYTES) break
      tooMany.push(connection)
      unsent -= size
    }
    disconnect(tooMany, 'memory')
  }
  const tick = () => {
    for (const connection of busy) {
      const taken = flushedBytes(connection.socket)
      const isStalled = taken === connection.taken && (connection.answering?.response.writableLength ?? 0) > 0
      connection.stalledTicks = isStalled ? connection.stalledTicks + 1 : 0
      connection.taken = taken
    }
    disconnect(
      [...busy].filter(({ stalledTicks }) => stalledTicks >= MAX_STALLED_TICKS),
      'stalled',
    )
    shedLoad()
  }
  const stopTimer = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    enter(connection: Connection): void {
      busy.add(connection)
      timer ??= setInterval(tick, TICK_MS).unref()
    },
    leave(connection: Connection): void {
      busy.delete(connection)
      connection.stalledTicks = 0
      if (busy.size === 0) stopTimer()
    },
    added(bytes: number): void {
      unsent += bytes
      if (unsent > MAX_UNSENT_BYTES) shedLoad()
    },
    close: stopTimer,
  }
}
