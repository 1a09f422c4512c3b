import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import type { LoginPageSettings } from '../shared/contract/login-page.ts'
import { LOGIN_BLOCKS, LOGIN_LAYOUTS, type LoginBlock } from '../shared/contract/login-page.ts'
import { SHIPPED_CODES, SHIPPED_THEMES } from '../shared/rules/shipped-themes.ts'
import { themeStyles } from '../shared/rules/theme-design.ts'
import { setUpApp } from './authenticator-app.ts'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { expect, fillIn, openSchool, PASSWORD, type School, testWithServer } from './fixtures.ts'
import { prove } from './two-step.ts'

/** How the pages look is everybody's here. */
const test = testWithServer('appearance of the pages', () => openSchool())
test.describe.configure({ mode: 'default' })

const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 390]

/** The share of pixels in which two pictures differ. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()))
  if (!a || !b || a.length !== b.length) return 1
  let differing = 0
  for (let at = 0; at < a.length; at += 3) {
    if (a[at] !== b[at] || a[at + 1] !== b[at + 1] || a[at + 2] !== b[at + 2]) differing += 1
  }
  return differing / (a.length / 3)
}

/** In both schemes and sizes the two show the same; neither is loaded anew for it. */
async function looksTheSame(name: string, preview: Page, published: Page): Promise<void> {
  // Nothing has the focus or the pointer over it, as in a frame.
  await published.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await published.mouse.move(0, 0)
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      for (const one of [preview, published]) {
        await one.emulateMedia({ colorScheme })
        await one.setViewportSize({ width, height: 900 })
      }
      const differing = async () => difference(await preview.screenshot(), await published.screenshot())
      await expect.poll(differing, `${name}, ${colorScheme}, ${width} pixels wide`).toBeLessThanOrEqual(0.001)
    }
  }
}

async function openContext(browser: Browser, server: School): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', reducedMotion: 'reduce' })
  return await context.newPage()
}

test('the preview of a draft is the page that is published: login, second step, notice, recovery, home, account security', async ({
  page,
  browser,
  logIn,
  server,
}) => {
  await logIn(page, 'lilei', '/auth_web/account-security/two-step')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await prove(page, 'Your password', 'Confirm')
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
  const preview = (name: string) => office.goto(`/auth_web/preview/${token}/${name}?lang=en`)
  await preview('login')
  await visitor.goto('/auth_web/login?service=')
  await looksTheSame('login', office, visitor)
  await preview('second-factor')
  const service = encodeURIComponent(server.library.url)
  await visitor.goto(`/fwk_cas_service/login?service=${service}`)
  await fillIn(visitor, 'lilei', PASSWORD)
  await expect(visitor.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  await looksTheSame('second step', office, visitor)
  await preview('signed-out')
  await visitor.goto('/fwk_cas_service/logout')
  await looksTheSame('notice', office, visitor)
  await preview('forgot-password')
  await visitor.goto('/auth_web/forgot-password')
  await looksTheSame('recovery', office, visitor)
  await logIn(visitor, 'root')
  await preview('my-apps')
  await looksTheSame('home', office, visitor)
  await preview('account-security')
  await visitor.goto('/auth_web/account-security')
  await looksTheSame('account security', office, visitor)
  await visitor.context().close()
  await office.context().close()
})

test('in every theme that ships, light and dark, whoever needs contrast can use the login page and the portal', async ({
  page,
  logIn,
}) => {
  const inEveryTheme = async (name: string) => {
    for (const code of SHIPPED_CODES) {
      await page.evaluate((styles) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(styles)
        document.adoptedStyleSheets = [sheet]
      }, themeStyles(SHIPPED_THEMES[code]))
      const brand = SHIPPED_THEMES[code].light.primary
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        const primary = () =>
          page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary'))
        if (colorScheme === 'light') expect((await primary()).trim()).toBe(brand)
        expect(await violations(page, 'colours'), `${name} in ${code}, ${colorScheme}`).toEqual([])
      }
    }
    await page.emulateMedia({ colorScheme: null })
  }
  await page.goto('/auth_web/login?service=')
  await inEveryTheme('login')
  await logIn(page, 'hanmeimei')
  await expect(page.locator('.app-tile').first()).toBeVisible()
  await inEveryTheme('home')
  await page.goto('/auth_web/account-security/set-account')
  await expect(page.locator('h1')).toBeVisible()
  await inEveryTheme('account security')
})

/** Each pair of blocks is hidden once, with layouts, orders and the place of the codes going round. */
function* combinations(): Generator<Partial<LoginPageSettings> & { hidden: LoginBlock[] }> {
  let at = 0
  for (const [first, one] of LOGIN_BLOCKS.entries()) {
    for (const other of LOGIN_BLOCKS.slice(first)) {
      if (one !== other && [one, other].every((block) => block === 'form' || block === 'otherWays')) continue
      const turned = [
        ...LOGIN_BLOCKS.slice(at % LOGIN_BLOCKS.length),
        ...LOGIN_BLOCKS.slice(0, at % LOGIN_BLOCKS.length),
      ]
      yield {
        layout: LOGIN_LAYOUTS[at % LOGIN_LAYOUTS.length] ?? 'right',
        blocks: at % 2 === 0 ? turned : turned.toReversed(),
        hidden: [...new Set([one, other])],
        qrFirst: at % 4 < 2,
        slogan: at % 3 > 0,
      }
      at += 1
    }
  }
}

test('every pair of blocks may be hidden in any layout: on a phone, without script, with text twice as large one can log in', async ({
  browser,
  server,
}) => {
  const call = await callerAs(server.url, 'root')
  const stored = () => call<{ version: number }>('/login_config/login_page_config/', {})
  let { version } = await stored()
  const save = async (changes: Partial<LoginPageSettings>) => {
    version = (await call('/login_config/update_login_page_config/', { version, changes })).version
  }
  const links = [{ texts: { en: 'A map of the campus, all of its gates' }, url: 'https://map.school.test/' }]
  await save({ links, icp: '京ICP备12345678号-1', publicSecurity: '京公网安备11010802020000号' })
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', javaScriptEnabled: false, viewport })
  const phone = await context.newPage()
  let count = 0
  for (const combination of combinations()) {
    await save(combination)
    await phone.goto('/auth_web/login?service=')
    const said = JSON.stringify(combination)
    const tooWide = await phone.evaluate(() => {
      document.documentElement.style.setProperty('--reading', '2')
      return document.documentElement.scrollWidth - innerWidth
    })
    expect(tooWide, said).toBeLessThanOrEqual(0)
    for (const part of ['input[name=username]', 'input[name=password]', 'form button[type=submit]']) {
      const box = phone.locator(part).first()
      await box.scrollIntoViewIfNeeded()
      await expect(box, said).toBeVisible()
      // Nothing lies over it.
      await box.click({ trial: true })
    }
    const isShown = (block: LoginBlock) => !combination.hidden.includes(block)
    await expect(phone.getByRole('link', { name: /京ICP备/ }), said).toHaveCount(isShown('foot') ? 1 : 0)
    await expect(phone.getByRole('link', { name: /^A map of/ }), said).toHaveCount(isShown('links') ? 1 : 0)
    await expect(phone.locator('.brand'), said).toHaveCount(isShown('brand') ? 1 : 0)
    count += 1
  }
  expect(count).toBe(35)
  await fillIn(phone, 'zhangsan')
  await expect(phone).toHaveURL(/auth_web/)
  await context.close()
  await save({
    layout: 'right',
    blocks: [...LOGIN_BLOCKS],
    hidden: [],
    qrFirst: false,
    slogan: true,
    links: [],
    icp: '',
    publicSecurity: '',
  })
})
