/**
 * Third-party clients log in and out against a running server, over https with a temporary authority: Debian packages
 * that `.ci/interop` names and installs, and npm packages of `npm-clients/package.json`, installed here.
 *   npm run interop                    all of them
 *   npm run interop -- oidc-client-ts  only the steps whose name contains that
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { requireChromium } from '../../e2e/chromium.ts'
import { freePort } from '../../server/testing/free-port.ts'
import { makeAuthority, startApache } from './apache.ts'
import { casClientSteps } from './cas-client-steps.ts'
import {
  CAS_CLIENTS_NEED,
  casClientApplications,
  casClientsAnswer,
  placeCasClients,
  startCasClients,
} from './cas-clients.ts'
import { casSteps } from './cas-steps.ts'
import { chromiumSteps } from './chromium-steps.ts'
import { content } from './content.ts'
import {
  GALLERY_KEYS,
  GALLERY_NEEDS,
  galleryAnswers,
  galleryApplication,
  placeGallery,
  startGallery,
} from './gallery-clients.ts'
import { gallerySteps } from './gallery-steps.ts'
import { oidcSteps } from './oidc-steps.ts'
import type { Ports } from './ports.types.ts'
import {
  installNpmClients,
  placeRelyingParties,
  relyingPartiesAnswer,
  relyingPartyApplications,
  startRelyingParties,
} from './relying-parties.ts'
import { relyingPartySteps } from './relying-party-steps.ts'
import { scimSteps } from './scim-steps.ts'
import { until } from './step.ts'

const NEEDED = [
  '/usr/sbin/apache2',
  '/usr/lib/apache2/modules/mod_auth_cas.so',
  '/usr/lib/apache2/modules/mod_auth_openidc.so',
  '/usr/share/php/CAS.php',
  '/usr/lib/python3/dist-packages/authlib',
  '/usr/lib/python3/dist-packages/flask',
  ...CAS_CLIENTS_NEED,
  ...GALLERY_NEEDS,
]

const steps: [string, () => Promise<void>][] = []
const step = (promise: string, run: () => Promise<void>) => void steps.push([promise, run])

async function main(): Promise<number> {
  const missing = NEEDED.filter((file) => !existsSync(file))
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}; .ci/interop installs the packages`)
  requireChromium()
  installNpmClients()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-interop-'))
  chmodSync(folder, 0o755)
  const ports: Ports = {
    gatehouse: await freePort(),
    sso: await freePort(),
    modAuthCas: await freePort(),
    phpCas: await freePort(),
    modAuthOpenidc: await freePort(),
    zabbix: await freePort(),
  }
  const places = await placeRelyingParties()
  const casPlaces = await placeCasClients()
  const galleryPlaces = await placeGallery()
  const sso = `https://localhost:${ports.sso}`
  const tls = makeAuthority(folder)
  chmodSync(tls.ca, 0o644)
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(tls.ca, 'utf8')])
  const zabbix = `https://localhost:${ports.zabbix}/zabbix`
  const applications = [
    ...relyingPartyApplications(places),
    ...casClientApplications(casPlaces),
    ...GALLERY_KEYS.map((key) => galleryApplication(key, galleryPlaces[key], sso)),
    galleryApplication('zabbix-oidc', zabbix, sso),
  ]
  writeFileSync(join(folder, 'bootstrap.json'), JSON.stringify(content(ports, applications)))
  const children: ChildProcess[] = []
  try {
    children.push(startGatehouse(folder, ports, tls.ca))
    await until('Gatehouse', async () => (await fetch(`http://127.0.0.1:${ports.gatehouse}/readyz`)).ok)
    children.push(startApache(folder, ports, tls))
    await until('Apache', async () => (await fetch(`${sso}/healthz`)).ok)
    casSteps(ports, step)
    const casRun = { cas: `${sso}/fwk_cas_service`, ca: tls.ca, folder }
    children.push(...startCasClients(casPlaces, casRun))
    await casClientsAnswer(casPlaces)
    casClientSteps(casPlaces, casRun, step)
    children.push(...startGallery(galleryPlaces, sso, tls.ca, folder))
    await galleryAnswers(galleryPlaces)
    gallerySteps(galleryPlaces, zabbix, step)
    oidcSteps(ports, tls.ca, step)
    children.push(...startRelyingParties(places, `${sso}/fwk_cas_service/oidc`, tls, join(folder, 'clients.log')))
    await relyingPartiesAnswer(places)
    relyingPartySteps(places, sso, step)
    scimSteps(sso, step)
    chromiumSteps(places, sso, step)
    const failed = await runSteps()
    if (failed > 0) showLogs(folder)
    return failed
  } catch (error) {
    showLogs(folder)
    throw error
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

async function runSteps(): Promise<number> {
  const wanted = process.argv[2] ?? ''
  const chosen = steps.filter(([promise]) => promise.includes(wanted))
  let failed = 0
  for (const [promise, run] of chosen) {
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
  console.log(`interop: ${chosen.length - failed} passed, ${failed} failed`)
  return failed
}

function showLogs(folder: string): void {
  for (const log of readdirSync(folder).filter((name) => name.endsWith('.log')))
    console.log(`${log}:\n${readFileSync(join(folder, log), 'utf8').slice(-4000)}`)
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
