import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { freePort } from '../server/testing/free-port.ts'

export const PASSWORD = 'Bench-Passw0rd'
export const ADMINISTRATOR = 'bench-administrator'
export const SERVICE = 'http://127.0.0.1:9/app/'
const PEOPLE = 400

/** The OpenID Connect applications: one per algorithm, whose name is appended to the id. */
export const CLIENT = {
  id: 'bench-oidc',
  secret: 'bench-secret-of-the-application',
  redirectUri: 'http://127.0.0.1:9/oidc/callback',
}

export type Site = {
  url: string
  /** Null for a server that was already running: its CPU can't be read. */
  pid: number | null
  accounts: string[]
  /** Milliseconds from spawning the process to the first 200 of the login page, with an existing database. */
  coldStartMs: number | null
  stop(): Promise<void>
}

const accounts = Array.from({ length: PEOPLE }, (_, index) => `bench${String(index).padStart(4, '0')}`)

/** The content the scenarios need; any server can use it as BOOTSTRAP_FILE. */
export async function benchContent() {
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const portals = Array.from({ length: 20 }, (_, index) => ({
    appId: `app-${index}`,
    name: `Application ${index}`,
    protocol: 'cas',
    type: 'whitelist',
    url: `http://127.0.0.1:9/app-${index}/`,
    serviceUrls: [`http://127.0.0.1:9/app-${index}/**`],
  }))
  return {
    organizations: [{ code: 'school', name: 'Bench University' }],
    users: [
      ...accounts.map((account) => ({ account, name: `Person ${account}`, organization: 'school', passwordHash })),
      { account: ADMINISTRATOR, name: 'Bench Administrator', organization: 'school', isSuperUser: true, passwordHash },
    ],
    applications: [
      {
        appId: 'bench',
        name: 'Bench',
        protocol: 'cas',
        type: 'system',
        url: SERVICE,
        serviceUrls: [`${SERVICE}**`],
        attributes: ['account', 'name', 'organization'],
        authorized: { organizations: ['school'] },
      },
      ...(['RS256', 'ES256'] as const).map(relyingParty),
      ...portals,
    ],
    // The scenario that only validates needs a stock of tickets.
    settings: { login: { serviceTicketSeconds: 300, secondFactorSuperUsers: false } },
  }
}

// Without a start address, so that it is in nobody's list.
const relyingParty = (idTokenAlg: 'RS256' | 'ES256') => ({
  appId: `bench-oidc-${idTokenAlg.toLowerCase()}`,
  name: `Bench by OpenID Connect, ${idTokenAlg}`,
  protocol: 'oauth2',
  type: 'system',
  clientId: `${CLIENT.id}-${idTokenAlg.toLowerCase()}`,
  clientSecret: CLIENT.secret,
  redirectUris: [CLIENT.redirectUri],
  grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
  scopes: ['openid', 'profile'],
  idTokenAlg,
  authorized: { organizations: ['school'] },
})

async function firstLoginPage(url: string, from: number): Promise<number> {
  for (;;) {
    const answer = await fetch(`${url}/auth_web/login`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return performance.now() - from
    if (performance.now() - from > 60_000) throw new Error('the server did not start within a minute')
    await new Promise((done) => setTimeout(done, 10))
  }
}

/**
 * Starts a server with its own embedded database, or on `databaseUrl`, twice: the second start is measured as cold
 * start. `more` is declared besides the content of the scenarios.
 */
export async function startSite(databaseUrl = '', more: object = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  chmodSync(folder, 0o711)
  const bootstrap = join(folder, 'bootstrap.json')
  writeFileSync(bootstrap, JSON.stringify({ ...(await benchContent()), ...more }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = openSync(join(folder, 'server.log'), 'a')
  const start = async () => {
    const from = performance.now()
    // As `npm start` does.
    const child = spawn(process.execPath, ['--max-semi-space-size=16', 'server/main.mjs'], {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        MALLOC_ARENA_MAX: '1',
        NODE_ENV: 'production',
        DATABASE_URL: databaseUrl,
        ...(databaseUrl && { SECRET_KEY: 'the key of a benchmark, which guards nothing' }),
        REDIS_URL: '',
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: join(folder, 'data'),
        BOOTSTRAP_FILE: bootstrap,
        DEMO: '0',
        LOG_LEVEL: 'warn',
      },
    })
    const stop = async () => {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await ended
    }
    const ms = await firstLoginPage(url, from).catch((error: Error) => {
      throw new Error(`${error.message}\n${readFileSync(join(folder, 'server.log'), 'utf8').slice(-2000)}`)
    })
    return { child, ms, stop }
  }
  await (await start()).stop()
  const running = await start()
  return {
    url,
    pid: running.child.pid ?? null,
    accounts,
    coldStartMs: running.ms,
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server already running with the bench content. */
export const runningSite = (url: string): Site => ({
  url,
  pid: null,
  accounts,
  coldStartMs: null,
  stop: async () => {},
})
