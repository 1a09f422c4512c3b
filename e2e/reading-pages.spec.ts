import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { bar, entry, faintTexts, openBar, overflow, ready, tool, visit } from './reading.ts'

const WORDS = {
  en: {
    title: 'Accessible reading',
    magnify: 'Magnify',
    shrink: 'Shrink',
    schemes: ['Black on white', 'White on black', 'Yellow on black', 'Yellow on blue'],
    reset: 'Reset',
    exit: 'Exit accessible reading',
  },
  'zh-CN': {
    title: '无障碍阅读',
    magnify: '放大',
    shrink: '缩小',
    schemes: ['白底黑字', '黑底白字', '黑底黄字', '蓝底黄字'],
    reset: '重置',
    exit: '退出无障碍阅读',
  },
} as const

/** Login, a notice, the portal and the back office; the last two for a logged-in person. */
const LIGHT = ['/auth_web/login', '/fwk_cas_service/login?service=https%3A%2F%2Fnobody.test%2F']
const PORTAL = [
  '/auth_web/my-apps',
  '/auth_web/personal-data',
  '/auth_web/manage/current-login-manage',
  '/auth_web/404',
]

for (const locale of ['en', 'zh-CN'] as const) {
  const words = WORDS[locale]

  test(`in ${locale}, the entry is the second tab stop on every page, and Esc restores the focus`, async ({
    browser,
    school,
    logIn,
  }) => {
    test.slow()
    const page = await visit(browser, school, locale)
    const check = async (path: string) => {
      await ready(page, path)
      await expect(entry(page)).toBeVisible()
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      // Tabbing continues from a focused field; a new tab stop starts at the top.
      await page.evaluate(() => document.body.insertAdjacentHTML('afterbegin', '<span tabindex="-1" id="top"></span>'))
      await page.locator('#top').focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await expect(entry(page), path).toBeFocused()
      await expect(entry(page)).toHaveAccessibleName(words.title)
      await expect(entry(page)).toHaveAttribute('aria-expanded', 'false')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('region', { name: words.title })).toBeVisible()
      await expect(tool(page, words.magnify)).toBeFocused()
      await expect(entry(page)).toHaveAttribute('aria-expanded', 'true')
      await page.locator('#top').evaluate((one) => one.remove())
      // Contrast does not depend on the language.
      const only = locale === 'en' ? undefined : 'layout'
      if (path !== PORTAL[0]) expect.soft(await violations(page, only), `axe, ${path}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(bar(page)).toBeHidden()
      await expect(entry(page)).toBeFocused()
    }
    for (const path of LIGHT) await check(path)
    await logIn(page, 'root')
    for (const path of PORTAL) await check(path)
    await page.context().close()
  })

  test(`in ${locale}, every scheme has a contrast of 7 : 1 everywhere, and axe finds nothing`, async ({
    browser,
    school,
    logIn,
  }) => {
    test.slow()
    const page = await visit(browser, school, locale)
    const look = async (paths: string[], scheme: string) => {
      for (const path of paths) {
        await ready(page, path)
        expect.soft(await faintTexts(page, 7), `${scheme}: ${path}`).toEqual([])
        // axe also computes contrast, and takes a second per page.
        if (path === paths.at(-1)) expect.soft(await violations(page), `axe, ${scheme}: ${path}`).toEqual([])
      }
    }
    const schemes = locale === 'en' ? words.schemes : words.schemes.slice(-1)
    for (const scheme of schemes) {
      await ready(page, '/auth_web/login')
      await openBar(page)
      await tool(page, scheme).click()
      await expect(tool(page, scheme)).toHaveAttribute('aria-pressed', 'true')
      await look(LIGHT, scheme)
    }
    await logIn(page, 'root')
    for (const scheme of schemes.toReversed()) {
      await ready(page, '/auth_web/my-apps')
      await openBar(page)
      if ((await tool(page, scheme).getAttribute('aria-pressed')) === 'false') await tool(page, scheme).click()
      await look(PORTAL.slice(0, 3), scheme)
    }
    await page.context().close()
  })
}

for (const width of [1024, 1920]) {
  test(`in a window of ${width}, each step enlarges text and controls, and nothing scrolls sideways`, async ({
    browser,
    school,
    logIn,
  }) => {
    test.slow()
    const page = await visit(browser, school, 'en', width)
    const sizeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
    const grow = async (path: string, selector: string, key: string) => {
      await ready(page, path)
      await openBar(page)
      await page.locator(selector).first().waitFor()
      const plain = await sizeOf(selector)
      for (const percent of [120, 140, 160, 180, 200]) {
        await tool(page, 'Magnify').click()
        await expect(bar(page).getByText(`${percent} %`).first()).toBeVisible()
        await expect.poll(async () => (await sizeOf(selector)) / plain).toBeGreaterThan(percent / 100 - 0.04)
        expect.soft(await overflow(page), `${path} at ${percent} %`).toBeLessThanOrEqual(0)
        await expect(page.locator(key).first()).toBeVisible()
      }
      await expect(tool(page, 'Magnify')).toHaveAttribute('aria-disabled', 'true')
      for (let step = 0; step < 5; step++) await tool(page, 'Shrink').click()
      await expect(bar(page).getByText('100 %').first()).toBeVisible()
    }
    await grow('/auth_web/login', 'label', 'form button[type=submit]')
    await logIn(page, 'root')
    await grow('/auth_web/personal-data', 'h2', 'input[autocomplete=nickname]')
    // With large text in a small window the back-office table becomes cards.
    await grow('/auth_web/manage/current-login-manage', width > 1100 ? '.data-row td' : 'h1', '.pager')
    await page.context().close()
  })
}

test('on a phone the toolbar fits and closes', async ({ browser, school, logIn }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    baseURL: school.url,
  })
  const page = await context.newPage()
  const check = async () => {
    await entry(page).tap()
    await expect(bar(page)).toBeVisible()
    await tool(page, 'Yellow on blue').tap()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page, 'layout')).toEqual([])
    const small = await bar(page)
      .getByRole('button')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 24).length)
    expect(small).toBe(0)
    await tool(page, 'Exit accessible reading').tap()
    await expect(bar(page)).toHaveCount(0)
  }
  await page.goto('/auth_web/login')
  await check()
  await logIn(page, 'hanmeimei')
  await check()
  await context.close()
})
