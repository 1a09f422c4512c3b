import type { Browser, Page } from '@playwright/test'
import type { LoginPageSettings } from '../shared/contract/login-page.ts'
import { LOGIN_BLOCKS, LOGIN_LAYOUTS, type LoginBlock } from '../shared/contract/login-page.ts'
import { test } from './appearance-school.ts'
import { callerAs } from './back-office.ts'
import { expect, fillIn, type School } from './fixtures.ts'

test.describe.configure({ mode: 'default' })

type Combination = Pick<LoginPageSettings, 'layout' | 'blocks' | 'hidden' | 'qrFirst' | 'slogan'>

/**
 * Each set of hidden blocks that leaves a way to log in. `few`: at most two are hidden, or at most two shown, so that
 * any two meet in each way. Layouts, orders and the position of the codes rotate.
 */
function combinations(which: 'few' | 'all'): Combination[] {
  const sets = Array.from({ length: 2 ** LOGIN_BLOCKS.length }, (_, bits) =>
    LOGIN_BLOCKS.filter((_block, at) => bits & (1 << at)),
  )
    .filter((hidden) => !(hidden.includes('form') && hidden.includes('otherMethods')))
    .filter(({ length }) => which === 'all' || length <= 2 || length >= LOGIN_BLOCKS.length - 2)
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
        methods: has('nav.types'),
        form: has('input[name=password]'),
        scanned: has('main a[href*="/third_party/qywx/"]'),
        other: has('main a[href*="/third_party/campus-id/"]'),
        links: has('.foot a[href="https://map.school.test/"]'),
        foot: has('.foot a[href="https://beian.miit.gov.cn/"]'),
      },
    }
  })

const FOOT = {
  links: [{ texts: { en: 'A map of the campus, all of its gates' }, url: 'https://map.school.test/' }],
  icp: '京ICP备12345678号-1',
  publicSecurity: '京公网安备11010802020000号',
}
const NO_FOOT = { links: [], icp: '', publicSecurity: '' }
const PHONE = { width: 390, height: 844 }

/** Changes the settings of the login page. */
async function saverOf(server: School) {
  const call = await callerAs(server.url, 'root')
  let { version } = await call<{ version: number }>('/login_config/login_page_config/', {})
  return async (changes: Partial<LoginPageSettings>) => {
    version = (await call('/login_config/update_login_page_config/', { version, changes })).version
  }
}

/** Shows each combination on a phone without scripts, with text twice as large; then a person logs in. */
async function lookAtCombinations(browser: Browser, server: School, all: Combination[]): Promise<void> {
  const save = await saverOf(server)
  await save(FOOT)
  const context = await browser.newContext({
    ...{ baseURL: server.url, locale: 'en', javaScriptEnabled: false, viewport: PHONE },
  })
  const phone = await context.newPage()
  for (const combination of all) {
    const { hidden, qrFirst } = combination
    await save(combination)
    await phone.goto('/auth_web/login?service=')
    const isShown = (block: LoginBlock) => !hidden.includes(block)
    const isOther = isShown('otherMethods')
    expect(await lookAtLargeText(phone), JSON.stringify(combination)).toEqual({
      tooWide: 0,
      unreached: [],
      shown: {
        brand: isShown('brand'),
        methods: isShown('methods'),
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
  await save(NO_FOOT)
  await context.close()
}

test('with at most two blocks hidden or shown, in layouts that rotate, all parts fit and can be reached on a phone, without scripts, and with text twice as large', async ({
  browser,
  server,
}) => {
  test.slow()
  const few = combinations('few')
  expect(few).toHaveLength(51)
  await lookAtCombinations(browser, server, few)
})

test('with any blocks hidden, in layouts that rotate, all parts fit and can be reached on a phone, without scripts, and with text twice as large', {
  tag: '@proof',
}, async ({ browser, server }) => {
  test.setTimeout(600_000)
  const all = combinations('all')
  expect(all).toHaveLength(192)
  await lookAtCombinations(browser, server, all)
})

test('with QR codes on the page itself, in each layout, all parts fit and can be reached on a phone with text twice as large', async ({
  browser,
  server,
}) => {
  const save = await saverOf(server)
  const scripted = await browser.newContext({ baseURL: server.url, locale: 'en', viewport: PHONE })
  const page = await scripted.newPage()
  for (const layout of LOGIN_LAYOUTS) {
    for (const qrFirst of [true, false]) {
      await save({ ...FOOT, layout, qrFirst, defaultMethod: qrFirst ? 'captcha' : 'user' })
      await page.goto('/auth_web/login?service=')
      await expect(page.locator(qrFirst ? '.scan' : '.scan-methods:not(.not-yet)')).toBeVisible()
      const { tooWide, unreached } = await lookAtLargeText(page)
      expect({ tooWide, unreached }, `${layout}, codes first: ${qrFirst}`).toEqual({ tooWide: 0, unreached: [] })
    }
  }
  await scripted.close()
  await save({ layout: 'right', qrFirst: false, defaultMethod: 'user', ...NO_FOOT })
})
