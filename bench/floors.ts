import { spawn } from 'node:child_process'
import type { Pool } from 'undici'
import { freePort } from '../server/testing/free-port.ts'
import { createVisitor, expect, type Visitor } from './client.ts'
import {
  clientCredentialsGrant,
  codeFlow,
  discovering,
  introspecting,
  type Provider,
  refreshing,
} from './oidc.scenarios.ts'
import { createParty, type Party } from './oidc.ts'

/** A bare server with the minimum cost of the same work. */
export type Floor = {
  name: string
  /** The script in this folder; listens on PORT. */
  script: 'floor.ts' | 'oidc.floor.ts'
  prepare(pool: Pool, url: string, concurrency: number): Promise<(worker: number) => Promise<void>>
}

const get = async (pool: Pool, path: string) => {
  const answer = await pool.request({ method: 'GET', path })
  return {
    status: answer.statusCode,
    location: String(answer.headers.location ?? ''),
    body: await answer.body.text(),
  }
}

async function hops(pool: Pool, _url: string, concurrency: number) {
  let session = 0
  return async () => {
    session = (session % 400) + 1
    const mine = session
    const { location } = await get(pool, `/hop?session=${mine}`)
    const answer = await get(pool, `/validate?ticket=${location.split('ticket=')[1]}`)
    expect(answer.body === `<user>bench${mine}</user>`, `expected the right user of ${concurrency}`, answer)
  }
}

/** Browsers with a session at the bare provider, which trusts the hint. */
async function bareVisitors({ pool, issuer, authorizePath }: Party, count: number): Promise<Visitor[]> {
  const visitors = Array.from({ length: count }, (_, index) => createVisitor(pool, issuer, `bench${index}`))
  for (const visitor of visitors) {
    const steps = [`${authorizePath}&login_hint=${visitor.account}`]
    for (const step of steps) {
      const { location } = await visitor.get(step)
      const next = new URL(location, issuer)
      if (next.origin === issuer) steps.push(next.pathname + next.search)
    }
  }
  return visitors
}

const oidc = (name: string, prepare: (provider: Provider, concurrency: number) => ReturnType<Floor['prepare']>) => ({
  name: `bare oidc-provider: ${name}`,
  script: 'oidc.floor.ts' as const,
  prepare: (pool: Pool, url: string, concurrency: number) =>
    prepare({ party: (alg = 'RS256') => createParty(pool, url, '', alg), loggedIn: bareVisitors }, concurrency),
})

export const floors: Floor[] = [
  {
    name: 'the hash alone',
    script: 'floor.ts',
    prepare: async (pool) => async () => {
      const answer = await get(pool, '/hash')
      expect(answer.body.includes('true'), 'expected the right password', answer)
    },
  },
  { name: 'hop + validation, bare Fastify and SQL', script: 'floor.ts', prepare: hops },
  oidc('code flow, RS256', (provider, concurrency) => codeFlow(provider, concurrency, 'RS256')),
  oidc('code flow, ES256', (provider, concurrency) => codeFlow(provider, concurrency, 'ES256')),
  oidc('refresh', refreshing),
  oidc('introspection', introspecting),
  oidc('client credentials', clientCredentialsGrant),
  oidc('discovery', discovering),
]

/** Starts a bare server as a separate process and waits until it answers. */
export async function startFloor(script: Floor['script']) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', `bench/${script}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
  })
  for (let tries = 0; tries < 300 && child.exitCode === null && !(await fetch(url).catch(() => null)); tries++)
    await new Promise((done) => setTimeout(done, 100))
  if (child.exitCode !== null) throw new Error(`bench/${script} did not start`)
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
  return { url, pid: child.pid ?? null, stop }
}
