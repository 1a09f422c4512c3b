import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestServer } from './server.ts'

const portOf = (url: string) => Number(new URL(url).port)

/** Sends raw bytes and reads nothing of the answer. */
export function sendUnread(url: string, bytes: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(portOf(url), '127.0.0.1', () => {
      socket.write(bytes)
      done(socket)
    })
    socket.pause()
    // The server is free to cut it off.
    socket.once('error', fail).on('error', () => {})
    onTestFinished(() => void socket.destroy())
  })
}

type FloodResult = { status: number; text: string; hasClosed: boolean }

const MAX_OFFERED_BYTES = 64 * 1024 * 1024

/**
 * Sends a request with an endless body, as fast as it is accepted, until the connection ends.
 * @param head the request line and headers except those of the body, each with its line end.
 * @param start how the body begins.
 */
export function flood(url: string, head: string, start = ''): Promise<FloodResult> {
  return new Promise((done) => {
    const socket = connect(portOf(url), '127.0.0.1')
    const piece = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    let text = ''
    const send = () => {
      while (socket.writable && socket.bytesWritten < MAX_OFFERED_BYTES) if (!socket.write(piece)) return
    }
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('drain', send)
    socket.setTimeout(15_000, () => socket.destroy())
    socket.on('connect', () => {
      const first = start && `${Buffer.byteLength(start).toString(16)}\r\n${start}\r\n`
      socket.write(`${head}Host: x\r\nTransfer-Encoding: chunked\r\n\r\n${first}`)
      send()
    })
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
      done({ status, text, hasClosed: /^connection: close\r$/im.test(text) })
    })
  })
}

/** Counts from now on what the server reads. @returns the bytes of each connection, in the order of their opening */
export function countTaken(server: TestServer): () => number[] {
  const sockets: Socket[] = []
  server.app.server.on('connection', (socket: Socket) => void sockets.push(socket))
  return () => sockets.map(({ bytesRead }) => bytesRead)
}
