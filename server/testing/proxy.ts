import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

export type SilentProxy = {
  /** The URL with the proxy instead of the server. */
  url: string
  /** From now on nothing passes on any connection, old or new, and none is closed: as when a firewall drops packets. */
  swallow(): void
  /** New connections work again; old ones stay silent forever, as when a firewall lost its state. */
  letNewOnesPass(): void
}

type Pair = { near: Socket; far: Socket; isSilent: boolean }

/** A TCP proxy that limits bytes per second towards the server, and returns answers at once. @returns its URL */
export async function slowProxy(target: string, bytesPerSecond: number): Promise<string> {
  const url = new URL(target)
  const to = destinationOf(url, 5432)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    far.pipe(near)
    near.on('close', () => far.destroy())
    near.on('data', (bytes) => {
      far.write(bytes)
      near.pause()
      setTimeout(() => near.resume(), (1000 * bytes.length) / bytesPerSecond)
    })
  })
  const listening = await freePort()
  await new Promise<void>((done) => server.listen(listening, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  url.host = `127.0.0.1:${listening}`
  return url.href
}

/** A host, or the folder of a socket instead. */
function destinationOf(url: URL, defaultPort: number): NetConnectOpts {
  const host = decodeURIComponent(url.hostname)
  const port = Number(url.port || defaultPort)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/** A TCP proxy in front of a server, or of the socket in a folder, that can swallow what is sent through it. */
export async function silentProxy(target: string, defaultPort = 5432): Promise<SilentProxy> {
  const url = new URL(target)
  const to = destinationOf(url, defaultPort)
  const pairs = new Set<Pair>()
  let isSwallowing = false
  const server = createServer((near) => {
    const far = connect(to)
    const pair = { near, far, isSilent: isSwallowing }
    pairs.add(pair)
    const ways = [
      [near, far],
      [far, near],
    ] as const
    for (const [from, other] of ways) {
      from.on('data', (bytes) => {
        if (!pair.isSilent) other.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        if (!pair.isSilent) other.destroy()
      })
    }
  })
  const listening = await freePort()
  await new Promise<void>((done) => server.listen(listening, '127.0.0.1', done))
  onTestFinished(() => {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
    server.close()
  })
  url.host = `127.0.0.1:${listening}`
  return {
    url: url.href,
    swallow() {
      isSwallowing = true
      for (const pair of pairs) pair.isSilent = true
    },
    letNewOnesPass() {
      isSwallowing = false
    },
  }
}
