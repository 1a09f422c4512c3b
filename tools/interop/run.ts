/**
 * Clients that nobody here wrote log in and out against a running server, over https with an authority made on the spot:
 * Debian's libapache2-mod-auth-cas, php-cas, libapache2-mod-auth-openidc and python3-authlib. Needs those packages and openssl:
 *   npm run interop
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../../server/testing/free-port.ts'
import { makeAuthority, startApache } from './apache.ts'
import { casSteps } from './cas-steps.ts'
import { content } from './content.ts'
import { oidcSteps } from './oidc-steps.ts'
import type { Ports } from './sites.ts'
import { until } from './step.ts'

const NEEDED = [
  '/usr/sbin/apache2',
  '/usr/lib/apache2/modules/mod_auth_cas.so',
  '/usr/lib/apache2/modules/mod_auth_openidc.so',
  '/usr/share/php/CAS.php',
  '/usr/lib/python3/dist-packages/authlib',
]

const steps: [string, () => Promise<void>][] = []
const step = (promise: string, run: () => Promise<void>) => void steps.push([promise, run])

async function main(): Promise<number> {
  const missing = NEEDED.filter((file) => !existsSync(file))
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}; .ci/interop installs the packages`)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-interop-'))
  chmodSync(folder, 0o755)
  const ports: Ports = {
    gatehouse: await freePort(),
    sso: await freePort(),
    modAuthCas: await freePort(),
    phpCas: await freePort(),
    modAuthOpenidc: await freePort(),
  }
  const tls = makeAuthority(folder)
  chmodSync(tls.ca, 0o644)
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(tls.ca, 'utf8')])
  writeFileSync(join(folder, 'bootstrap.json'), JSON.stringify(content(ports)))
  const children: ChildProcess[] = []
  try {
    children.push(startGatehouse(folder, ports, tls.ca))
    await until('Gatehouse', async () => (await fetch(`http://127.0.0.1:${ports.gatehouse}/readyz`)).ok)
    children.push(startApache(folder, ports, tls))
    await until('Apache', async () => (await fetch(`https://localhost:${ports.sso}/healthz`)).ok)
    casSteps(ports, step)
    oidcSteps(ports, tls.ca, step)
    return await runSteps(folder)
  } finally {
    await Promise.all(children.map(ended))
    rmSync(folder, { recursive: true, force: true })
  }
}

function startGatehouse(folder: string, ports: Ports, ca: string): ChildProcess {
  return spawn(process.execPath, ['server/main.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: '',
      REDIS_URL: '',
      PORT: String(ports.gatehouse),
      PUBLIC_URL: `https://localhost:${ports.sso}`,
      TRUSTED_PROXIES: '127.0.0.1/32',
      DATA_DIR: join(folder, 'data'),
      BOOTSTRAP_FILE: join(folder, 'bootstrap.json'),
      DEMO: '0',
      LOG_LEVEL: 'warn',
      NODE_EXTRA_CA_CERTS: ca,
    },
  })
}

async function runSteps(folder: string): Promise<number> {
  let failed = 0
  for (const [promise, run] of steps) {
    const error = await run().then(
      () => null,
      (reason: unknown) => reason as Error,
    )
    console.log(`${error ? 'not ok' : 'ok'} - ${promise}`)
    if (error) {
      failed += 1
      console.log(`  ${error.message}`)
    }
  }
  if (failed > 0 && existsSync(join(folder, 'apache.log')))
    console.log(readFileSync(join(folder, 'apache.log'), 'utf8').slice(-4000))
  console.log(`interop: ${steps.length - failed} passed, ${failed} failed`)
  return failed
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await Promise.race([
    new Promise((done) => child.once('exit', done)),
    new Promise((done) => setTimeout(done, 16_000).unref()),
  ])
  if (child.exitCode === null) child.kill('SIGKILL')
}

process.exitCode = (await main()) === 0 ? 0 : 1
