import { connect } from 'node:net'

/** Sends raw bytes and returns everything received until the connection ends. */
export function raw(url: string, bytes: string | Buffer, waitMs = 5000): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', fail)
    socket.on('close', () => done(text))
    socket.setTimeout(waitMs, () => socket.destroy())
  })
}
