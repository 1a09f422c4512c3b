import { createHmac } from 'node:crypto'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { startLogStreams } from '../features/log-streams/index.ts'
import { until } from './process.ts'
import type { TestServer } from './server.ts'

async function listen(server: Server, sockets: ReadonlySet<Socket>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** The messages of a stream with octet counting. @throws Error for anything else. */
function unframe(bytes: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString('latin1', at, space))
    if (space < 0 || !Number.isInteger(length) || space + 1 + length > bytes.length) throw new Error('not framed')
    messages.push(bytes.toString('utf8', space + 1, space + 1 + length))
    at = space + 1 + length
  }
  return messages
}

/** `closes`: before it has read anything; `silent`: reads, and never closes; `resets`: after it has read a part. */
export type SinkMood = 'well' | 'closes' | 'silent' | 'resets'

/** A syslog receiver: what it has read to the end has arrived. */
export async function openSyslogSink(identity?: { key: string; cert: string }) {
  const sink = { port: 0, arrived: [] as string[], connections: 0, mood: 'well' as SinkMood }
  const sockets = new Set<Socket>()
  const take = (socket: Socket) => {
    sink.connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    if (sink.mood === 'closes') return void socket.end()
    const pieces: Buffer[] = []
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece)
      if (sink.mood === 'resets') socket.destroy()
    })
    socket.on('end', () => {
      if (sink.mood === 'silent') return
      sink.arrived.push(...unframe(Buffer.concat(pieces)))
      socket.end()
    })
  }
  const half = { allowHalfOpen: true }
  sink.port = await listen(
    identity ? createTlsServer({ ...identity, ...half }, take) : createServer(half, take),
    sockets,
  )
  return sink
}

export type TakenBatch = { batch: string; sender: string; records: Record<string, unknown>[]; isSigned: boolean }

/** An endpoint for batches: what it answers with 200 has arrived. */
export async function openBatchSink(secret: string) {
  const sink = { url: '', arrived: [] as TakenBatch[], refused: [] as TakenBatch[], status: 200 }
  const sockets = new Set<Socket>()
  const server = createWebServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const expected = createHmac('sha256', secret).update(`${request.headers['x-gatehouse-timestamp']}.${body}`)
    const isSigned = request.headers['x-gatehouse-signature'] === `sha256=${expected.digest('hex')}`
    const taken = { ...JSON.parse(body), isSigned }
    if (sink.status < 300) sink.arrived.push(taken)
    else sink.refused.push(taken)
    response.writeHead(sink.status, { location: '/elsewhere' }).end()
  })
  server.on('connection', (socket) => sockets.add(socket))
  sink.url = `http://127.0.0.1:${await listen(server, sockets)}/records`
  return sink
}

/** Lets a node send until a condition holds. */
export async function sendUntil(server: TestServer, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const streams = await startLogStreams(server.platform)
  try {
    await until(isSo, 30_000)
  } finally {
    await streams.stop()
  }
}
