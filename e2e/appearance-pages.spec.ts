import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { presetSettings } from '../server/testing/campus-id.presets.ts'
import { SHIPPED_LANGUAGES } from '../shared/contract/endpoint.ts'
import type { LoginPageSettings } from '../shared/contract/login-page.ts'
import { LOGIN_BLOCKS, LOGIN_LAYOUTS, type LoginBlock } from '../shared/contract/login-page.ts'
import { SHIPPED_CODES, SHIPPED_THEMES } from '../shared/rules/shipped-themes.ts'
import { themeStyles } from '../shared/rules/theme-design.ts'
import { VENDORS } from '../tools/simulators/index.ts'
import { setUpApp } from './authenticator-app.ts'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { expect, fillIn, openSchool, PASSWORD, type School, testWithServer } from './fixtures.ts'
import { prove } from './two-step.ts'

/** An unreachable system: the login page needs only its address. */
const ELSEWHERE = 'http://localhost:9'

/** Every login method that a login page can offer: password and code, two QR codes, another system. */
const withAllWays = (content: { applications?: object[]; settings?: object }) => ({
  ...content,
  // Named as in the samples of a preview.
  applications: content.applications?.map((one) => ({ ...one, names: { zh_CN: '图书馆', zh_TW: '圖書館' } })),
  thirdPartyProviders: [
    ...(['qywx', 'dingding'] as const).map((key) => ({
      key,
      connector: key,
      name: key === 'qywx' ? 'WeCom' : 'DingTalk',
      settings: VENDORS[key].settings(ELSEWHERE),
    })),
    { key: 'campus-id', connector: 'oauth2', name: 'Campus ID', settings: presetSettings('oidc', ELSEWHERE) },
  ],
  settings: {
    ...content.settings,
    mail: { host: '127.0.0.1', port: 9, security: 'none', user: 'x', password: 'x', from: 'portal@school.test' },
  },
})

/** The look affects everybody on this server. */
const test = testWithServer('appearance of the pages', () => openSchool({}, withAllWays))
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
  // As in a frame, nothing has the focus or the pointer.
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

test('the preview of a draft is the page that is published, in each language: login, second step, notice, recovery, home, account security', async ({
  page,
  browser,
  logIn,
  server,
}) => {
  test.slow()
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
    await looksTheSame(`second step, ${language}`, office, visitor)
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

test('in every shipped theme, light and dark, the login page and the portal have sufficient contrast', async ({
  page,
  logIn,
}) => {
  test.slow()
  const inEveryTheme = async (name: string) => {
    for (const [at, code] of SHIPPED_CODES.entries()) {
      await page.evaluate((styles) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(styles)
        document.adoptedStyleSheets = [sheet]
      }, themeStyles(SHIPPED_THEMES[code]))
      const brand = SHIPPED_THEMES[code].light.primary
      for (const [turn, colorScheme] of SCHEMES.entries()) {
        // Contrast depends little on the layout: each scheme is seen in each size, every other theme.
        const width = WIDTHS[(at + turn) % WIDTHS.length] ?? 0
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
  await inEveryTheme('login')
  await page.goto('/fwk_cas_service/logout')
  await inEveryTheme('notice')
  await page.goto('/auth_web/forgot-password')
  await expect(page.locator('h1')).toBeVisible()
  await inEveryTheme('recovery')
  await logIn(page, 'hanmeimei')
  await expect(page.locator('.app-tile').first()).toBeVisible()
  await inEveryTheme('home')
  await page.goto('/auth_web/account-security/set-account')
  await expect(page.locator('h1')).toBeVisible()
  await inEveryTheme('account security')
})

type Combination = Pick<LoginPageSettings, 'layout' | 'blocks' | 'hidden' | 'qrFirst' | 'slogan'>

/**
 * At most two blocks are hidden, or at most two shown: so any two meet in each way. Layouts, orders and the position of
 * the codes rotate.
 */
function combinations(): Combination[] {
  const sets = Array.from({ length: 2 ** LOGIN_BLOCKS.length }, (_, bits) =>
    LOGIN_BLOCKS.filter((_block, at) => bits & (1 << at)),
  )
    .filter((hidden) => !(hidden.includes('form') && hidden.includes('otherWays')))
    .filter(({ length }) => length <= 2 || length >= LOGIN_BLOCKS.length - 2)
  return sets.map((hidden, at) => {
    const first = at % LOGIN_BLOCKS.length
    const turned = [...LOGIN_BLOCKS.slice(first), ...LOGIN_BLOCKS.slice(0, first)]
    return {
      layout: LOGIN_LAYOUTS[at % LOGIN_LAYOUTS.length] ?? 'right',
      blocks: at % 2 === 0 ? turned : turned.toReversed(),
      hidden,
      qrFirst: at % 4 < 2,
      slogan: at % 5 > 1,
    }
  })
}

/** The parts of a page with text twice as large, and whether each can be reached by touch. */
const lookAtLargeText = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.setProperty('--reading', '2')
    const has = (selector: string) => document.querySelector(selector)?.checkVisibility() === true
    const isReached = (element: Element) => {
      element.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const found = document.elementFromPoint(left + width / 2, top + height / 2)
      return width > 0 && found !== null && (element === found || element.contains(found))
    }
    const parts = [...document.querySelectorAll('main input:not([type=hidden]), main button, main a, .foot a')].filter(
      (part) => part.checkVisibility(),
    )
    return {
      tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      unreached: parts.filter((part) => !isReached(part)).map((part) => part.outerHTML),
      shown: {
        brand: has('.brand'),
        ways: has('nav.types'),
        form: has('input[name=password]'),
        scanned: has('main a[href*="/third_party/qywx/"]'),
        other: has('main a[href*="/third_party/campus-id/"]'),
        links: has('.foot a[href="https://map.school.test/"]'),
        foot: has('.foot a[href="https://beian.miit.gov.cn/"]'),
      },
    }
  })

test('in any layout, all shown parts fit and can be reached on a phone, without scripts, and with text twice as large', async ({
  browser,
  server,
}) => {
  test.slow()
  const call = await callerAs(server.url, 'root')
  let { version } = await call<{ version: number }>('/login_config/login_page_config/', {})
  const save = async (changes: Partial<LoginPageSettings>) => {
    version = (await call('/login_config/update_login_page_config/', { version, changes })).version
  }
  const links = [{ texts: { en: 'A map of the campus, all of its gates' }, url: 'https://map.school.test/' }]
  await save({ links, icp: '京ICP备12345678号-1', publicSecurity: '京公网安备11010802020000号' })
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', javaScriptEnabled: false, viewport })
  const phone = await context.newPage()
  const all = combinations()
  expect(all).toHaveLength(51)
  for (const combination of all) {
    const { hidden, qrFirst } = combination
    await save(combination)
    await phone.goto('/auth_web/login?service=')
    const isShown = (block: LoginBlock) => !hidden.includes(block)
    const isOther = isShown('otherWays')
    expect(await lookAtLargeText(phone), JSON.stringify(combination)).toEqual({
      tooWide: 0,
      unreached: [],
      shown: {
        brand: isShown('brand'),
        ways: isShown('ways'),
        form: isShown('form'),
        scanned: qrFirst ? isShown('qr') : isOther,
        other: isOther,
        links: isShown('links'),
        foot: isShown('foot'),
      },
    })
  }
  await save({ layout: 'right', blocks: [...LOGIN_BLOCKS], hidden: [], qrFirst: false, slogan: true })
  await phone.goto('/auth_web/login?service=')
  await fillIn(phone, 'zhangsan')
  await expect(phone).toHaveURL(/auth_web/)
  await context.close()

  // With scripts the QR codes are on the page itself.
  const scripted = await browser.newContext({ baseURL: server.url, locale: 'en', viewport })
  const page = await scripted.newPage()
  for (const layout of LOGIN_LAYOUTS) {
    for (const qrFirst of [true, false]) {
      await save({ layout, qrFirst, firstWay: qrFirst ? 'captcha' : 'user' })
      await page.goto('/auth_web/login?service=')
      await expect(page.locator(qrFirst ? '.scan' : '.scan-way:not(.not-yet)')).toBeVisible()
      const { tooWide, unreached } = await lookAtLargeText(page)
      expect({ tooWide, unreached }, `${layout}, codes first: ${qrFirst}`).toEqual({ tooWide: 0, unreached: [] })
    }
  }
  await scripted.close()
  await save({ layout: 'right', firstWay: 'user', links: [], icp: '', publicSecurity: '' })
})
