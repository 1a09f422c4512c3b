import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { SHIPPED_LANGUAGES } from '../shared/contract/endpoint.ts'
import { SHIPPED_CODES, SHIPPED_THEMES } from '../shared/rules/shipped-themes.ts'
import { themeStyles } from '../shared/rules/theme-design.ts'
import { test } from './appearance-school.ts'
import { setUpApp } from './authenticator-app.ts'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { expect, fillIn, PASSWORD, type School } from './fixtures.ts'
import { reauthenticate } from './two-step.ts'

test.describe.configure({ mode: 'default' })

const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 390]

/** The share of differing pixels of two pictures. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()))
  if (!a || !b || a.length !== b.length) return 1
  let differing = 0
  for (let at = 0; at < a.length; at += 3) {
    if (a[at] !== b[at] || a[at + 1] !== b[at + 1] || a[at + 2] !== b[at + 2]) differing += 1
  }
  return differing / (a.length / 3)
}

/** Preview and published page look the same in both schemes and sizes, without reloading. */
async function looksTheSame(name: string, preview: Page, published: Page): Promise<void> {
  await published.mouse.move(0, 0)
  const differing = async () => {
    // As in a frame, nothing has the focus, which the page may set late.
    await published.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    return difference(await preview.screenshot(), await published.screenshot())
  }
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      for (const one of [preview, published]) {
        await one.emulateMedia({ colorScheme })
        await one.setViewportSize({ width, height: 900 })
      }
      await expect.poll(differing, `${name}, ${colorScheme}, ${width} pixels wide`).toBeLessThanOrEqual(0.001)
    }
  }
}

async function openContext(browser: Browser, server: School): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', reducedMotion: 'reduce' })
  return await context.newPage()
}

test('the preview of a draft is the page that is published, in each language: login, second factor, notice, recovery, home, account security', async ({
  page,
  browser,
  logIn,
  server,
}) => {
  test.slow()
  await logIn(page, 'lilei', '/auth_web/account-security/two-step')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await reauthenticate(page, 'Your password', 'Confirm')
  await expect(page.locator('.secret-key')).toBeVisible()
  await page.reload()
  await setUpApp(page)

  const call = await callerAs(server.url, 'root')
  const { id, version } = await call('/login_config/create/', { name: 'The draft', base: 'wisteria' })
  const office = await openContext(browser, server)
  await logIn(office, 'root', `/auth_web/manage/login-topic?open=${id}`)
  const frame = office.locator('.theme-preview iframe')
  await expect(frame).toBeVisible()
  const token = (await frame.getAttribute('src'))?.split('/')[3] ?? ''
  await call(`/login_config/themes/${id}/publish/`, { version })
  const chosen = await call<{ version: number }>('/login_config/themes/')
  await call('/login_config/choose_theme/', { theme: id, version: chosen.version })

  const visitor = await openContext(browser, server)
  const service = encodeURIComponent(server.library.url)
  for (const language of SHIPPED_LANGUAGES) {
    const preview = (name: string) => office.goto(`/auth_web/preview/${token}/${name}?lang=${language}`)
    const lang = `lang=${language}`
    await visitor.context().clearCookies()
    await preview('login')
    await visitor.goto(`/auth_web/login?service=&${lang}`)
    await looksTheSame(`login, ${language}`, office, visitor)
    await preview('second-factor')
    await visitor.goto(`/fwk_cas_service/login?service=${service}&${lang}`)
    await fillIn(visitor, 'lilei', PASSWORD)
    await expect(visitor.locator('#username')).toHaveCount(0)
    await looksTheSame(`second factor, ${language}`, office, visitor)
    await preview('signed-out')
    await visitor.goto(`/fwk_cas_service/logout?${lang}`)
    await looksTheSame(`notice, ${language}`, office, visitor)
    await preview('forgot-password')
    await visitor.goto(`/auth_web/forgot-password?${lang}`)
    await looksTheSame(`recovery, ${language}`, office, visitor)
    await logIn(visitor, 'root', `/auth_web/my-apps?${lang}`)
    await preview('my-apps')
    await looksTheSame(`home, ${language}`, office, visitor)
    await preview('account-security')
    await visitor.goto(`/auth_web/account-security?${lang}`)
    await looksTheSame(`account security, ${language}`, office, visitor)
  }
  await visitor.context().close()
  await office.context().close()
})

type Widths = 'both widths' | 'widths in turn'

/** Contrast depends little on the layout: in turn, each scheme is seen in each width every other theme. */
const viewsOf = (at: number, widths: Widths) =>
  SCHEMES.flatMap((colorScheme, turn) =>
    WIDTHS.filter((_width, index) => widths === 'both widths' || (at + turn) % WIDTHS.length === index).map(
      (width) => ({ colorScheme, width }),
    ),
  )

test('in every shipped theme, light and dark, the login page and the portal have sufficient contrast', async ({
  page,
  logIn,
}) => {
  test.slow()
  const inEveryTheme = async (name: string, widths: Widths) => {
    for (const [at, code] of SHIPPED_CODES.entries()) {
      await page.evaluate((styles) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(styles)
        document.adoptedStyleSheets = [sheet]
      }, themeStyles(SHIPPED_THEMES[code]))
      const brand = SHIPPED_THEMES[code].light.primary
      for (const { colorScheme, width } of viewsOf(at, widths)) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        const primary = () =>
          page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary'))
        if (colorScheme === 'light') expect((await primary()).trim()).toBe(brand)
        expect(await violations(page, 'colours'), `${name} in ${code}, ${colorScheme}, ${width} pixels wide`).toEqual(
          [],
        )
      }
    }
    await page.emulateMedia({ colorScheme: null })
  }
  await page.goto('/auth_web/login?service=')
  await inEveryTheme('login', 'both widths')
  await page.goto('/fwk_cas_service/logout')
  await inEveryTheme('notice', 'widths in turn')
  await page.goto('/auth_web/forgot-password')
  await expect(page.locator('h1')).toBeVisible()
  await inEveryTheme('recovery', 'widths in turn')
  await logIn(page, 'hanmeimei')
  await expect(page.locator('.app-tile').first()).toBeVisible()
  await inEveryTheme('home', 'both widths')
  await page.goto('/auth_web/account-security/set-account')
  await expect(page.locator('h1')).toBeVisible()
  await inEveryTheme('account security', 'widths in turn')
})
