/**
 * Responsiveness of the tree of organisations with a node of 10,000 children, in a browser:
 *   DATABASE_URL=postgres://… npm run scale-data -- --organizations 20482 --people 20000 --records 1000
 *   npm run bench:tree -- --database postgres://… [--json file]
 * Milliseconds from the key or click to the first resulting row, and the frames drawn while scrolling.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium, type Locator, type Page } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import { percentile } from './measure.ts'
import { ADMINISTRATOR, PASSWORD, startSite } from './site.ts'

const { values: options } = parseArgs({ options: { database: { type: 'string' }, json: { type: 'string' } } })

const SCROLLED_MS = 5000
const WHEEL_PIXELS = 240
const REPEATED = 5
const LONGEST_MS = 30_000

/** Records frame times in the page. */
const NOTE_FRAMES = `(() => {
  const frames = []
  let last = performance.now()
  let on = true
  const note = (now) => { frames.push(now - last); last = now; if (on) requestAnimationFrame(note) }
  requestAnimationFrame(note)
  window.framesNoted = () => { on = false; return frames.slice(1) }
})()`

/**
 * Waits for the frame that shows a row with this name. Checked in every frame, because a locator polls every half
 * second.
 */
async function timed(page: Page, name: string, act: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await act()
  await page.evaluate(`new Promise((done, fail) => {
    setTimeout(() => fail(new Error('no line ${name}')), ${LONGEST_MS})
    const isThere = () => [...document.querySelectorAll('.tree-name')].some((one) => one.textContent === '${name}')
    const look = () => (isThere() ? done() : requestAnimationFrame(look))
    look()
  })`)
  return performance.now() - from
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/auth_web/`)
  await page.locator('#username').fill(ADMINISTRATOR)
  await page.locator('#password').fill(PASSWORD)
  await page.locator('form button[type=submit]').first().click()
  await page.waitForURL('**/auth_web/my-apps')
  await page.goto(`${url}/auth_web/manage/organization`)
}

const line = (page: Page, name: string): Locator =>
  page.getByRole('treeitem').filter({ has: page.getByText(name, { exact: true }) })
const toggle = (page: Page, name: string) => line(page, name).locator('.tree-switch').click()

async function scrolled(page: Page): Promise<number[]> {
  await page.locator('.tree-scroll').hover()
  await page.evaluate(NOTE_FRAMES)
  const until = performance.now() + SCROLLED_MS
  while (performance.now() < until) await page.mouse.wheel(0, WHEEL_PIXELS)
  return await page.evaluate<number[]>('window.framesNoted()')
}

async function main(): Promise<void> {
  if (!options.database) throw new Error('--database names a database that scale-data has filled')
  const site = await startSite(options.database)
  const path = chromiumPath()
  const browser = await chromium.launch({ ...(path && { executablePath: path }), args: ['--no-sandbox'] })
  const rows: { name: string; figure: number; budget: number }[] = []
  const tell = (name: string, figure: number, budget: number) => {
    rows.push({ name, figure, budget })
    console.log(`${name.padEnd(50)} ${figure.toFixed(1).padStart(8)} ${String(budget).padStart(8)}`)
  }
  const repeated = async (name: string, budget: number, run: (turn: number) => Promise<number>) => {
    const times: number[] = []
    for (let turn = 0; turn < REPEATED; turn += 1) times.push(await run(turn))
    tell(`${name}, ms`, times.sort((a, b) => a - b)[Math.floor(REPEATED / 2)] ?? 0, budget)
  }
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await open(page, site.url)
    await repeated('10,000 children, opened', 1000, async () => {
      // Loaded children are cached.
      await page.reload()
      await line(page, '规模大学').waitFor()
      await toggle(page, '规模大学')
      await line(page, '班级总汇1').waitFor()
      return await timed(page, '班级1', () => toggle(page, '班级总汇1'))
    })
    const search = page.locator('.tree-search input')
    await repeated('filter by a name', 500, async (turn) => {
      const took = await timed(page, `班级77${turn}`, () => search.fill(`班级77${turn}`))
      await search.fill('')
      return took
    })
    const frames = (await scrolled(page)).sort((a, b) => a - b)
    const drawn = frames.reduce((sum, ms) => sum + ms, 0)
    tell('frames a second while scrolling', (frames.length / drawn) * 1000, 60)
    tell('frame time, p50 ms', percentile(frames, 0.5), 16.7)
    tell('frame time, p95 ms', percentile(frames, 0.95), 16.7)
    tell('frame time, most ms', frames.at(-1) ?? 0, 50)
    tell('lines drawn', await page.getByRole('treeitem').count(), 100)
  } finally {
    await browser.close()
    await site.stop()
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)
}

await main()
