import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { PAGE_STATES } from './pages.ts'

/** Pixels by which the page is wider than its window; tables may scroll inside their own frame. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** A page in a window of `width` unzoomed pixels, zoomable like a browser's. */
async function zoomable(browser: Browser, width: number): Promise<{ page: Page; zoom(factor: number): Promise<void> }> {
  const page = await browser.newPage()
  // Zoom divides the inner size and multiplies the pixel ratio; the outer size of the window stays.
  await page.addInitScript((outer) => Object.defineProperty(window, 'outerWidth', { get: () => outer }), width)
  const devtools = await page.context().newCDPSession(page)
  const height = Math.round(width * 0.5625)
  const zoom = async (factor: number) => {
    await devtools.send('Emulation.setDeviceMetricsOverride', {
      width: Math.round(width / factor),
      height: Math.round(height / factor),
      screenWidth: width,
      screenHeight: height,
      deviceScaleFactor: factor,
      mobile: false,
    })
  }
  return { page, zoom }
}

/** The smallest size of visible text, in unzoomed pixels. */
const smallestText = (page: Page) =>
  page.evaluate(() => {
    const sizes = [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
      .filter(
        (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.clientWidth !== 1,
      )
      .map((one) => Number.parseFloat(getComputedStyle(one).fontSize) * devicePixelRatio)
    return Math.min(...sizes)
  })

/**
 * The login in every window; the portal, whose rules are the same for all pages, where the root size is normal and
 * largest.
 */
const ZOOMED: [place: string, widths: number[]][] = [
  ['login', [1366, 1920, 2560, 3840]],
  ['my applications', [1920, 3840]],
  ['everyone who is logged in', [1920, 3840]],
]

for (const [name, widths] of ZOOMED) {
  const place = PAGE_STATES.find((one) => one.name === name)
  if (!place) throw new Error(`no page called ${name}`)
  for (const width of widths) {
    test(`${place.name} in a window of ${width} pixels: zoom really enlarges the text and loses nothing`, async ({
      browser,
      school,
      logIn,
    }) => {
      const { page, zoom } = await zoomable(browser, width)
      const sizes: number[] = []
      for (const factor of [1, 2, 4]) {
        await zoom(factor)
        if (place.as && factor === 1) await logIn(page, place.as)
        await place.go(page, school)
        expect(await page.evaluate(() => devicePixelRatio)).toBe(factor)
        sizes.push(await smallestText(page))
        expect.soft(await overflow(page), `sideways scrolling at ${factor * 100} %`).toBeLessThanOrEqual(0)
      }
      await page.context().close()
      const [plain = 0, twice = 0, fourfold = 0] = sizes
      expect(twice / plain).toBeGreaterThanOrEqual(1.98)
      expect(fourfold / plain).toBeGreaterThanOrEqual(3.96)
    })
  }
}

test('a form of two columns is as wide as both need, whatever was loaded before it', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=lilei')
  await page.locator('.data-row').first().getByRole('button', { name: 'lilei' }).click()
  await page.locator('.drawer').getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: /^Edit Person lilei/ })
  await expect(form).toBeVisible()
  expect((await form.boundingBox())?.width).toBeGreaterThan(700)
})

test('on a phone neither the chosen option of a form nor the title of the page is cut off', async ({
  browser,
  school,
  logIn,
}) => {
  const context = await browser.newContext({ baseURL: school.url, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const isCut = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
          return scrollWidth > clientWidth || scrollHeight > clientHeight + 1
        })
        .map(({ textContent }) => textContent),
    )
  await logIn(page, 'root', '/auth_web/manage/login-config')
  await expect(page.getByText('3: letters, digits and special characters').first()).toBeVisible()
  expect(await isCut('.select-value')).toEqual([])
  await page.goto('/auth_web/manage/organization')
  await expect(page.locator('.list-cards li').first()).toBeVisible()
  expect(await isCut('.crumbs')).toEqual([])
  await context.close()
})

/** How high the words of each link are: more than a line if they wrap. */
const heightsOfWords = (links: Element[]) => links.map((link) => link.querySelector('span')?.clientHeight ?? 0)

test('the bar of the portal stays one line down to 768 pixels, and keeps the names of what it shows as icons', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/my-apps')
  const bar = page.locator('header.bar')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  for (const width of [1366, 1100, 900, 768]) {
    await page.setViewportSize({ width, height: 768 })
    await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(66)
    expect(await overflow(page), `sideways scrolling at ${width}`).toBeLessThanOrEqual(0)
    for (const name of ['My applications', 'Account security', 'Authentication records', 'Personal data'])
      await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
    // Each word of the menu beside the others, none below.
    expect(Math.max(...(await menu.getByRole('link').evaluateAll(heightsOfWords)))).toBeLessThan(30)
    await expect(bar.getByRole('link', { name: 'Back office' })).toBeVisible()
  }
  // The school's own name, however long.
  await page.locator('.bar .brand > span').evaluate((name) => {
    name.textContent = 'The University of Applied Sciences and Arts of the Northern Coast'
  })
  await page.setViewportSize({ width: 770, height: 768 })
  await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(66)
  expect(await overflow(page)).toBeLessThanOrEqual(0)
})

test('the menu of the back office leads to every group of pages', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/home')
  const menu = page.getByRole('navigation', { name: 'Back-office menu' })
  for (const [group, link, title] of [
    ['User prompts', 'Forgot password', 'Forgot password'],
    ['Integration centre', 'Unified messaging', 'Unified messaging'],
  ] as const) {
    await expect(menu.getByRole('button', { name: group, exact: true })).toBeVisible()
    await menu.getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(menu.getByRole('link', { name: link, exact: true })).toHaveAttribute('aria-current', 'page')
  }
})

test('the menu at the side is there when a window gets its width only while the page starts', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root')
  await page.addInitScript(() => {
    const width = Object.getOwnPropertyDescriptor(window, 'innerWidth')
    let isWide = false
    Object.defineProperty(window, 'innerWidth', { get: () => (isWide ? width?.get?.call(window) : 500) })
    // Widened after the first rendering, and before anybody watches the width.
    const { observe } = MutationObserver.prototype
    MutationObserver.prototype.observe = function (target, options) {
      if (!isWide && options?.attributeFilter?.includes('data-compact')) {
        isWide = true
        dispatchEvent(new Event('resize'))
      }
      observe.call(this, target, options)
    }
  })
  await page.goto('/auth_web/manage/organization')
  await expect(page.locator('.side nav')).toBeVisible()
})
