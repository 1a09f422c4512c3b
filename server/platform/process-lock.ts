import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Holds `name` for as long as this process lives. The lock is a listening socket, because the kernel releases it however the process ends:
 * no lock file can be left behind.
 * @returns releases it; null if another living process holds it
 */
export async function acquireProcessLock(name: string): Promise<(() => Promise<void>) | null> {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  // Linux has sockets without a file; elsewhere a file may outlive its process and is then replaced.
  const path = process.platform === 'linux' ? `\0gatehouse-${digest}` : join(tmpdir(), `gatehouse-${digest}.lock`)
  const server = (await listen(path)) ?? (await replaceStaleSocket(path))
  if (!server) return null
  server.unref()
  return () => new Promise((done) => server.close(() => done()))
}

function listen(path: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    server.listen(path, () => done(server))
  })
}

async function replaceStaleSocket(path: string): Promise<Server | null> {
  if (path.startsWith('\0') || (await isListening(path))) return null
  rmSync(path, { force: true })
  return listen(path)
}

function isListening(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
