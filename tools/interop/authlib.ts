import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { AUTHLIB_CALLBACK, CLIENT_SECRET } from './content.ts'

type Reply = { url?: string; claims: Record<string, unknown>; userinfo: Record<string, unknown>; refreshed?: boolean }

/** The relying party written with Python's Authlib: a line of JSON in, a line of JSON out. */
export function startAuthlib(issuer: string, ca: string): { say(message: object): Promise<Reply>; end(): void } {
  const program = fileURLToPath(new URL('authlib_client.py', import.meta.url))
  const child = spawn('/usr/bin/python3', [program, issuer, 'authlib', CLIENT_SECRET, AUTHLIB_CALLBACK], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, REQUESTS_CA_BUNDLE: ca, AUTHLIB_INSECURE_TRANSPORT: '1' },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async say(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('the Authlib client ended early')
      return JSON.parse(value) as Reply
    },
    end: () => child.stdin.end(),
  }
}
