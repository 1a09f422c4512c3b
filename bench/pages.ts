/**
 * Page load times on a slow phone network, in a real Chromium against the demo school on this machine:
 *   npm run bench:pages [-- --runs 5] [--only my-apps] [--json file]
 * Network: the preset "Fast 3G" of Chromium's developer tools (1.44 Mbit/s down, 0.675 up, 562.5 ms per request); CPU:
 * slowed to a quarter. Cold: a browser that has nothing but the login. Warm: a new tab of that browser. Times are
 * wall-clock, so on a busy machine the minimum is closer to the truth than the median.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page as Tab } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import { watchTraffic } from '../e2e/page-traffic.ts'
import { freePort } from '../server/testing/free-port.ts'
import { percentile } from './measure.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
})

const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }
const SLOWER_PROCESSOR = 4
/** Milliseconds without requests after which a page is complete. */
const QUIET_MS = 1500
const START_MS = 120_000

type Account = 'lilei' | 'admin' | null
type Page = { path: string; as: Account; ready: string }

const PAGES: Page[] = [
  { path: '/auth_web/login', as: null, ready: '#username' },
  { path: '/auth_web/my-apps', as: 'lilei', ready: 'a.app-tile' },
  { path: '/auth_web/account-security/set-account', as: 'lilei', ready: '.security-row, .security-list' },
  { path: '/auth_web/manage/home', as: 'admin', ready: 'h1' },
  { path: '/auth_web/manage/organization', as: 'admin', ready: '[role=tree] [role=treeitem]' },
]

type Visit = { requests: number; kilobytes: number; firstPaint: number; largestPaint: number }

const later = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** The demo school, as started by `npm start`. */
async function startSchool() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  // As root the database runs as another user, who needs access.
  chmodSync(folder, 0o711)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ['--max-semi-space-size=16', 'server/main.mjs'], {
    env: {
      ...process.env,
      DEMO: '1',
      DATABASE_URL: '',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: join(folder, 'data'),
    },
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  const stop = async () => {
    const gone = new Promise((done) => server.once('exit', done))
    server.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  const passwordOf = async (account: string): Promise<string> => {
    for (const until = Date.now() + START_MS; Date.now() < until && server.exitCode === null; await later(100)) {
      const password = new RegExp(`^ +${account} +(\\S+)\\s`, 'm').exec(output)?.[1]
      if (password) return password
    }
    throw new Error(`the demo school did not start:\n${output}`)
  }
  // Printed shortly after the server starts listening.
  await passwordOf('admin')
  return { url, stop, passwordOf }
}

type School = Awaited<ReturnType<typeof startSchool>>

/** The cookies and storage of a login, for fresh browsers. */
async function logIn(browser: Browser, school: School, account: Account) {
  if (!account) return undefined
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${school.url}/auth_web/my-apps`)
  await page.locator('#username').fill(account)
  await page.locator('input[type=password]').fill(await school.passwordOf(account))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/auth_web/my-apps')
  await page.locator('h1').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function openSlowTab(context: BrowserContext) {
  const tab = await context.newPage()
  const devtools = await context.newCDPSession(tab)
  const traffic = await watchTraffic(devtools)
  await devtools.send('Network.emulateNetworkConditions', FAST_3G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR })
  return { tab, traffic }
}

/** Milliseconds from the start of the navigation, as reported by the browser. */
const paintsOf = (tab: Tab) =>
  tab.evaluate(
    () =>
      new Promise<{ firstPaint: number; largestPaint: number }>((resolve) => {
        const firstPaint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
        new PerformanceObserver((list) => {
          resolve({ firstPaint, largestPaint: list.getEntries().at(-1)?.startTime ?? 0 })
        }).observe({ type: 'largest-contentful-paint', buffered: true } as never)
      }),
  )

async function visit(context: BrowserContext, url: string, ready: string): Promise<Visit> {
  const { tab, traffic } = await openSlowTab(context)
  await tab.goto(url, { waitUntil: 'commit', timeout: 60_000 })
  await tab.locator(ready).first().waitFor({ timeout: 60_000 })
  await traffic.untilQuiet(QUIET_MS)
  const paints = await paintsOf(tab)
  await tab.close()
  return { requests: traffic.requests.length, kilobytes: traffic.bytes / 1000, ...paints }
}

const median = (values: number[]): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
const seconds = (ms: number): string => (ms / 1000).toFixed(1)

function print(name: string, visits: Visit[]): void {
  const most = (pick: (one: Visit) => number) => Math.max(...visits.map(pick))
  const times = (pick: (one: Visit) => number) => {
    const all = visits.map(pick)
    return `${seconds(Math.min(...all))} / ${seconds(median(all))}`.padStart(13)
  }
  console.log(
    `${name.padEnd(44)} ${String(most((one) => one.requests)).padStart(8)} ${most((one) => one.kilobytes)
      .toFixed(0)
      .padStart(6)} ${times((one) => one.firstPaint)} ${times((one) => one.largestPaint)}`,
  )
}

async function main(): Promise<void> {
  const path = chromiumPath()
  const school = await startSchool()
  const browser = await chromium.launch({ ...(path && { executablePath: path }), args: ['--no-sandbox'] })
  const rows: { path: string; cold: Visit[]; warm: Visit[] }[] = []
  try {
    console.log(`${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]} processes were running when this began`)
    console.log(`${''.padEnd(44)} requests     kB  first paint  largest paint (s, least / median)`)
    const states = new Map<Account, Awaited<ReturnType<typeof logIn>>>()
    for (const account of new Set(PAGES.map(({ as }) => as))) states.set(account, await logIn(browser, school, account))
    for (const page of PAGES.filter((one) => one.path.includes(options.only))) {
      const row = { path: page.path, cold: [] as Visit[], warm: [] as Visit[] }
      for (let run = 0; run < Number(options.runs); run++) {
        const storageState = states.get(page.as)
        const context = await browser.newContext({ locale: 'en', ...(storageState && { storageState }) })
        row.cold.push(await visit(context, school.url + page.path, page.ready))
        row.warm.push(await visit(context, school.url + page.path, page.ready))
        await context.close()
      }
      print(`${page.path} cold`, row.cold)
      print(`${page.path} warm`, row.warm)
      rows.push(row)
    }
  } finally {
    await browser.close()
    await school.stop()
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)
}

await main()
