import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range of ports for outgoing connections (Linux 32768, IANA 49152): one of those could take a port between check and use.
const [FIRST, END] = [15_000, 32_000]
const given = new Set<number>()

/** A loopback port that was free a moment ago, another one at each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(FIRST, END)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port between ${FIRST} and ${END}`)
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((done) => {
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
