import { isIP, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { networkProblem } from '../../platform/network-problem.ts'
import { connectOutgoing } from '../../platform/outgoing-fetch.ts'
import { type LogSinkDestination, LogSinkFault, type LogSinkProblem, type SendBatch } from './log-sink.types.ts'
import { framed, syslogMessage } from './syslog-message.rules.ts'

/** Of silence: while encryption begins, while writing, and until the other side closes. */
const SILENCE_MS = 10_000
const USUAL_PORT = { off: 514, verify: 6514 } as const

/**
 * Syslog has no acknowledgement, and what the system accepted from us may never be read. So each batch has its own connection, which we
 * half-close: the other side closes its half when it has read to the last byte, and only then the batch counts as delivered.
 */
export async function sendBySyslog(
  destination: LogSinkDestination,
  { records, sender }: Parameters<SendBatch>[1],
  silenceMs = SILENCE_MS,
): Promise<void> {
  const socket = await open(destination, silenceMs)
  try {
    const { facility } = destination
    await deliver(socket, records.map((record) => framed(syslogMessage(record, { facility, sender }))).join(''))
  } finally {
    socket.destroy()
  }
}

async function open(destination: LogSinkDestination, silenceMs: number): Promise<Socket> {
  const { host, tls } = destination
  const plain = await connectOutgoing(host, destination.port || USUAL_PORT[tls]).catch(
    (error: NodeJS.ErrnoException) => {
      throw new LogSinkFault(networkProblem(error), error.message)
    },
  )
  const socket = tls === 'off' ? plain : await encrypt(plain, destination, silenceMs)
  return socket.setTimeout(silenceMs)
}

async function encrypt(plain: Socket, { host, ca }: LogSinkDestination, silenceMs: number): Promise<TLSSocket> {
  const bare = host.replace(/^\[|\]$/g, '')
  const socket = connectTls({
    socket: plain,
    host: bare,
    minVersion: 'TLSv1.2',
    ...(ca && { ca }),
    ...(isIP(bare) === 0 && { servername: bare }),
  })
  await settled(socket.setTimeout(silenceMs), 'secureConnect')
  return socket
}

/** Whoever closes before we do has not read to the end: a load balancer without a backend, a receiver that is stopping. */
const EARLY_CLOSE_MS = 100

async function deliver(socket: Socket, text: string): Promise<void> {
  const closed = settled(socket, 'end')
  socket.resume()
  const written = new Promise<void>((resolve) => socket.write(text, () => resolve()))
  await Promise.race([written.then(() => pause(EARLY_CLOSE_MS)), closed])
  if (socket.readableEnded || socket.destroyed) throw new LogSinkFault('cut-off')
  socket.end()
  await closed
}

type SocketError = Error & { code?: string }

/** Until the certificate is verified nothing but the encryption can fail. */
function problemOf(error: SocketError, event: 'secureConnect' | 'end'): LogSinkProblem {
  const problem = networkProblem(error)
  if (problem === 'certificate' || problem === 'no-encryption') return problem
  return event === 'secureConnect' && error.code !== 'ECONNRESET' ? 'no-encryption' : 'cut-off'
}

/**
 * Whoever expects no encryption is silent too: they wait for the first message to end.
 * @throws LogSinkFault if the connection breaks or stays silent before.
 */
function settled(socket: Socket, event: 'secureConnect' | 'end'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (error: SocketError) => reject(new LogSinkFault(problemOf(error, event), error.message))
  socket.once('timeout', () => {
    reject(new LogSinkFault('timeout'))
    socket.destroy()
  })
  socket.once(event, () => resolve())
  socket.on('error', fail)
  socket.once('close', () => reject(new LogSinkFault('cut-off')))
  // Whoever waits for it may have given up already.
  promise.catch(() => {})
  return promise
}
