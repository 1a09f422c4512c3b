import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/testing/free-port.ts'
import { CLIENT_SECRET, oidcClient } from './content.ts'
import type { Authority } from './sites.ts'
import { until } from './step.ts'

type Registration = { callbacks: string[]; afterLogout?: string[]; host?: string; more?: object }

const AUTHLIB_FLASK = 'authlib-flask'

/** OpenID Connect clients as separate applications: the registration of each, as its README says. */
const REGISTRATIONS = {
  'auth-js': { callbacks: ['/auth/callback/gatehouse'] },
  'express-openid-connect': {
    callbacks: ['/callback'],
    afterLogout: [''],
    // The implicit flow is not allowed for localhost (OpenID Connect Dynamic Client Registration 1.0,
    // application_type).
    host: '127.0.0.1',
    more: { clientSecret: null, grantTypes: ['implicit'] },
  },
  'express-openid-connect-code': { callbacks: ['/callback'], afterLogout: [''] },
  'hono-oidc-auth': { callbacks: ['/callback'] },
  'next-auth': { callbacks: ['/api/auth/callback/gatehouse'] },
  'oidc-client-ts': {
    callbacks: ['/callback', '/popup', '/silent'],
    afterLogout: ['/', '/popup'],
    more: { clientSecret: null },
  },
  'openid-client-5': { callbacks: ['/cb'] },
  'openid-client-6': { callbacks: ['/cb'] },
  'openid-client-6-dpop': { callbacks: ['/cb'] },
  'passport-openidconnect': { callbacks: ['/cb'] },
  [AUTHLIB_FLASK]: { callbacks: ['/auth'] },
} satisfies Record<string, Registration>

export type RelyingParty = keyof typeof REGISTRATIONS

/** The address of each. */
export type RelyingParties = Record<RelyingParty, string>

export async function placeRelyingParties(): Promise<RelyingParties> {
  const places: [string, string][] = []
  for (const [name, { host = 'localhost' }] of Object.entries<Registration>(REGISTRATIONS)) {
    places.push([name, `https://${host}:${await freePort()}`])
  }
  return Object.fromEntries(places) as RelyingParties
}

/** Their applications for the bootstrap file. */
export const relyingPartyApplications = (places: RelyingParties): object[] =>
  Object.entries<Registration>(REGISTRATIONS).map(([name, { callbacks, afterLogout = ['/'], more }]) => {
    const url = places[name as RelyingParty]
    return oidcClient(name, `${url}/`, {
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: callbacks.map((path) => url + path),
      postLogoutRedirectUris: afterLogout.map((path) => url + path),
      ...(name === 'express-openid-connect-code' && { backchannelLogoutUri: `${url}/backchannel-logout` }),
      ...more,
    })
  })

const folder = fileURLToPath(new URL('npm-clients/', import.meta.url))

/** Their packages have a separate lockfile, so that nobody else has to install them. */
export function installNpmClients(): void {
  const lock = createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .digest('hex')
  const mark = `${folder}node_modules/.installed`
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return
  console.log('Installing the OpenID Connect clients …')
  const npm = process.env['npm_execpath']
  const [program, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  execFileSync(program, [...args, 'ci', '--ignore-scripts', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  writeFileSync(mark, lock)
}

/** Starts them all, with their output in `log`; stop each with SIGTERM. */
export function startRelyingParties(
  places: RelyingParties,
  issuer: string,
  tls: Authority,
  log: string,
): ChildProcess[] {
  const output = openSync(log, 'a')
  return Object.entries(places).map(([name, url]) => {
    const isPython = name === AUTHLIB_FLASK
    const program = isPython ? fileURLToPath(new URL('authlib_flask.py', import.meta.url)) : `${folder}${name}.mjs`
    return spawn(isPython ? '/usr/bin/python3' : process.execPath, [program], {
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        ISSUER: issuer,
        BASE_URL: url,
        CLIENT_ID: name,
        CLIENT_SECRET,
        COOKIE_SECRET: CLIENT_SECRET,
        TLS_CERT: tls.cert,
        TLS_KEY: tls.key,
        NODE_EXTRA_CA_CERTS: tls.ca,
        REQUESTS_CA_BUNDLE: tls.ca,
      },
    })
  })
}

export async function relyingPartiesAnswer(places: RelyingParties): Promise<void> {
  const answers = (url: string) => fetch(url, { redirect: 'manual' }).then(() => true)
  for (const [name, url] of Object.entries(places)) await until(name, () => answers(url))
}
