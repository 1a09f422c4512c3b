import type { Browser, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, type School, test } from './fixtures.ts'
import { PLACES, type Place } from './pages.ts'

/**
 * Every page and state of PLACES is opened once for each person and language below, and looked at in every way there: axe in
 * light and dark, wide and on a phone, headings and title, what fits, the size of targets, the Tab key.
 */
const VISITORS = [
  [null, 'en'],
  [null, 'zh-CN'],
  ['lilei', 'zh-CN'],
  ['root', 'en'],
  ['root', 'zh-TW'],
] as const

/** Places in one test: two workers share them out. */
const AT_ONCE = 7
const WIDE = { width: 1366, height: 768 }
const PHONE = { width: 390, height: 844 }

for (const [account, locale] of VISITORS) {
  const places = PLACES.filter(({ as }) => as === account)
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const some = places.slice(from, from + AT_ONCE)
    test(`${account ?? 'anyone'} in ${locale}: ${some.map(({ name }) => name).join(' · ')}`, async ({
      browser,
      school,
      logIn,
    }) => {
      test.slow()
      const page = await open(browser, school, locale)
      const complaints = complaintsOf(page)
      if (account) await logIn(page, account)
      for (const place of some) await lookAt(page, place, school)
      expect.soft(complaints, 'complaints in the console').toEqual([])
      await page.context().close()
    })
  }
}

async function open(browser: Browser, school: School, locale: string): Promise<Page> {
  const context = await browser.newContext({ locale, viewport: WIDE, reducedMotion: 'reduce', baseURL: school.url })
  return await context.newPage()
}

async function lookAt(page: Page, place: Place, school: School): Promise<void> {
  const { name } = place
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
  await place.go(page, school)
  expect.soft(await page.locator('h1').count(), `${name}: one main heading`).toBe(1)
  expect.soft(await page.title(), `${name}: a title`).not.toBe('')
  expect.soft(await violations(page), `${name}, light`).toEqual([])
  expect.soft(await overflow(page), `${name}: wider than the window`).toBeLessThanOrEqual(0)
  expect.soft(await unreached(page), `${name}: not reached with the Tab key`).toEqual([])
  // The way of the Tab key ends anywhere: what lies half below a bar that stays is no small target.
  await page.evaluate(() => scrollTo(0, 0))
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await violations(page), `${name}, dark`).toEqual([])
  await page.setViewportSize(PHONE)
  await page.evaluate(() => scrollTo(0, 0))
  // Layouts that change by script do so in the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect.soft(await overflow(page), `${name}: wider than the phone`).toBeLessThanOrEqual(0)
  expect.soft(await tooSmall(page), `${name}: small targets`).toEqual([])
  expect.soft(await violations(page), `${name}, on a phone`).toEqual([])
}

/** Errors of scripts and of the content policy; a refused login is an answer, not an error. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/the server responded with a status of 40[13]/.test(message.text())) {
      complaints.push(`${message.text()} at ${page.url()}`)
    }
  })
  return complaints
}

/** Pixels by which the page is wider than its window; tables may scroll inside their own frame. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Controls smaller than 24 × 24 that are not links inside a line of text. */
const tooSmall = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, summary, input:not([type=hidden]), select, [role^=menuitem]',
      ),
    ]
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((one) => {
        // A check box is as large as the label that toggles it.
        const { width, height } = (one.closest('label') ?? one).getBoundingClientRect()
        return { text: `${one.tagName} ${one.className} ${one.textContent?.slice(0, 30)}`, width, height, one }
      })
      .filter(({ width, height, one }) => {
        // Hidden until focused, as the skip links are.
        if (one.ariaHidden === 'true' || width <= 1 || height <= 1 || one.getBoundingClientRect().bottom < 0)
          return false
        return width < 24 || height < 24
      })
      .map(({ text, width, height }) => `${text}: ${Math.round(width)} x ${Math.round(height)}`),
  )

/** Marks what a keyboard has to reach; of radio buttons with one name only the chosen one, or all of them, is a stop. */
const markControls = (page: Page) =>
  page.evaluate(() => {
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
    const all = scope.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]')
    const stops = [...all].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !one.matches(':disabled, [type=radio]') &&
        !one.closest('[inert]') &&
        one.checkVisibility({ visibilityProperty: true, opacityProperty: false }),
    )
    for (const [at, one] of stops.entries()) one.dataset['stop'] = String(at)
    return stops.map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent ?? ''}`.slice(0, 60))
  })

const stopInFocus = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['stop'])

/** The controls that the Tab key alone does not come to. */
async function unreached(page: Page): Promise<string[]> {
  const controls = await markControls(page)
  const reached = new Set<string>()
  for (let i = 0; i < controls.length + 25 && reached.size < controls.length; i += 1) {
    await page.keyboard.press('Tab')
    const stop = await stopInFocus(page)
    if (stop !== undefined) reached.add(stop)
  }
  return controls.filter((_, at) => !reached.has(String(at)))
}
