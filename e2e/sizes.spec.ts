import type { Browser, Page } from '@playwright/test'
import { expect, type School, test } from './fixtures.ts'
import { PLACES } from './pages.ts'

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

for (const account of [null, 'lilei', 'root'] as const) {
  test(`pages of ${account ?? 'anyone'} fit a phone of 390 pixels, with targets a thumb can hit`, async ({
    browser,
    school,
    logIn,
  }) => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 3,
      hasTouch: true,
      isMobile: true,
      baseURL: school.url,
    })
    const page = await context.newPage()
    if (account) await logIn(page, account)
    for (const place of PLACES.filter(({ as }) => as === account)) {
      await place.go(page, school)
      expect.soft(await overflow(page), `${place.name}: wider than the phone`).toBeLessThanOrEqual(0)
      expect.soft(await tooSmall(page), `${place.name}: small targets`).toEqual([])
    }
    await context.close()
  })
}

/** A window of `width` unzoomed pixels with the browser's zoom, as a page sees it. */
async function zoomedWindow(browser: Browser, school: School, width: number, zoom: number): Promise<Page> {
  const height = Math.round(width * 0.5625)
  const context = await browser.newContext({
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    screen: { width, height },
    deviceScaleFactor: zoom,
    baseURL: school.url,
  })
  // Zoom divides the inner size and multiplies the pixel ratio; the outer size of the window stays.
  await context.addInitScript((outer) => Object.defineProperty(window, 'outerWidth', { get: () => outer }), width)
  return await context.newPage()
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

/** The login in every window; the portal, whose rules are the same for all pages, where the root size is normal and largest. */
const ZOOMED: [place: string, widths: number[]][] = [
  ['login', [1366, 1920, 2560, 3840]],
  ['my applications', [1920, 3840]],
  ['everyone who is logged in', [1920, 3840]],
]

for (const [name, widths] of ZOOMED) {
  const place = PLACES.find((one) => one.name === name)
  if (!place) throw new Error(`no page called ${name}`)
  for (const width of widths) {
    test(`${place.name} in a window of ${width} pixels: zoom really enlarges the text and loses nothing`, async ({
      browser,
      school,
      logIn,
    }) => {
      const sizes: number[] = []
      for (const zoom of [1, 2, 4]) {
        const page = await zoomedWindow(browser, school, width, zoom)
        if (place.as) await logIn(page, place.as)
        await place.go(page, school)
        sizes.push(await smallestText(page))
        expect.soft(await overflow(page), `sideways scrolling at ${zoom * 100} %`).toBeLessThanOrEqual(0)
        await page.context().close()
      }
      const [plain = 0, twice = 0, fourfold = 0] = sizes
      expect(twice / plain).toBeGreaterThanOrEqual(1.98)
      expect(fourfold / plain).toBeGreaterThanOrEqual(3.96)
    })
  }
}
