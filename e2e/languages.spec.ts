import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, PASSWORD, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'
import { signedCall } from './signed-call.ts'

const PAGE = '/auth_web/manage/language-list'

const shipped = JSON.parse(readFileSync(new URL('../shared/locales/en.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

/**
 * The Arabic texts needed before the language can be available, each with an Arabic word in front, as a translator's
 * file.
 */
function sheet(): string {
  const rows = Object.entries(shipped).flatMap(([key, text]) => {
    if (!/^(login|light|errors)\./.test(key) || key.endsWith('_one')) return []
    const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => key.replace(/_other$/, `_${form}`))
    return (key.endsWith('_other') ? forms : [key]).map((one) => [one, `ع ${text}`])
  })
  const cells = [['key', 'ar', 'ar version'], ...rows.map((row) => [...row, '0'])]
  return cells.map((row) => row.map((cell) => `"${cell?.replaceAll('"', '""')}"`).join(',')).join('\r\n')
}

const PHONE = { width: 390, height: 844 }
const SETTINGS = '/auth_web/manage/system-settings'

/** The institution's name in Arabic, which can be entered once the language is available. */
async function nameInstitution(page: Page, name: string): Promise<void> {
  await page.goto(SETTINGS)
  await page.getByLabel('Institution name in العربية').fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
}

test('on a phone in dark mode a right-to-left language is added by keyboard, its file imported, enabled, used for a login, and removed', async ({
  page,
  browser,
  logIn,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Languages', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add language' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Language tag' })).toBeFocused()
  await page.keyboard.type('ug')
  await expect(page.getByRole('textbox', { name: 'Native name' })).toHaveValue('ئۇيغۇرچە')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('ar')
  await expect(page.getByRole('textbox', { name: 'Native name' })).toHaveValue('العربية')
  await page.keyboard.press('Enter')
  const row = page.locator('.language-row').filter({ hasText: 'العربية' })
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible()
  await page.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const file = { name: 'ar.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${sheet()}`) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: /^Import [\d,]+ texts/ }).click()
  await expect(page.getByText(/Texts imported/).first()).toBeVisible()
  await page.keyboard.press('Escape')

  // Its screens are seen before anybody else sees them.
  await page.getByRole('button', { name: 'Languages', exact: true }).click()
  await row.getByRole('link', { name: 'Preview العربية' }).click()
  await expect(page.getByRole('combobox', { name: 'Language' })).toHaveText('العربية (disabled)')
  const screen = page.frameLocator('.preview-frame iframe')
  await expect(screen.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(screen.getByRole('heading', { level: 1 })).toContainText('ع Log in')
  await page.goto(PAGE)

  const setOffered = async () => {
    await page.getByRole('button', { name: 'Languages', exact: true }).click()
    await row.getByRole('button', { name: 'Edit العربية' }).click()
    await page.getByText('Available to visitors').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await setOffered()
  await expect(row.getByText('Enabled', { exact: true })).toBeVisible()
  await nameInstitution(page, 'جامعة النهر')

  const visitor = await browser.newContext({ locale: 'ar', viewport: PHONE, colorScheme: 'dark' })
  const login = await visitor.newPage()
  await login.goto('/auth_web/login')
  await expect(login.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(login.getByRole('heading', { level: 1 })).toHaveText('ع Log in')
  await expect(login.getByText('جامعة النهر').first()).toBeVisible()
  await login.locator('input[name=username]').fill('lilei')
  await login.locator('input[name=password]').fill(PASSWORD)
  await login.locator('input[name=password]').press('Enter')
  await login.waitForURL(/my-apps/)
  for (const address of ['my-apps', 'account-security', 'activation', 'forgot-password', 'personal-data']) {
    await login.goto(`/auth_web/${address}`)
    await expect(login.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(login.getByRole('heading', { level: 1 })).toBeVisible()
    const overflow = await login.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, address).toBeLessThanOrEqual(0)
  }
  await visitor.close()

  await nameInstitution(page, '')
  await page.goto(PAGE)
  await setOffered()
  await row.getByRole('button', { name: 'Delete العربية' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0)
})

/** Where a character of an element stands on the screen, from the left. */
const leftOf = (element: Locator, at: number) =>
  element.evaluate((one, index) => {
    const range = document.createRange()
    const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode() as Text
    range.setStart(text, index)
    range.setEnd(text, index + 1)
    return range.getBoundingClientRect().left
  }, at)

test('from right to left a masked number keeps its order, and a language that browsers know no dates of has those of its fallback', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  const language = { name: 'ئۇيغۇرچە', direction: 'rtl', fallback: 'zh_CN', position: 4 }
  const { version } = await signedCall<{ version: number }>(page, '/language/ug/add/', { body: language })
  await page.goto('/auth_web/manage/tip-edit/phone-bind?language=ug')
  await page.getByRole('combobox', { name: 'Screen' }).click()
  await page.getByRole('option', { name: 'Change phone' }).click()
  const screen = page.frameLocator('.preview-frame iframe')
  // Inside a sentence it is set apart from what is around it.
  await expect(screen.locator('dialog')).toContainText('\u2068138****1234\u2069')
  const number = screen.locator('.security-list bdi').first()
  await expect(number).toHaveText('138****1234')
  expect(await leftOf(number, 0)).toBeLessThan(await leftOf(number, 10))
  await expect(screen.getByText('2026年1月5日').first()).toBeVisible()
  await page.goto(PAGE)
  await signedCall(page, '/language/ug/delete/', { body: { version } })
})

test('from right to left the numbers and times of a list, and those of a person, keep their order', async ({
  page,
  logIn,
  school,
}) => {
  await school.sql`update users set phone = '+8613800004321', last_login_at = now() where account = 'onleave'`
  await logIn(page, 'root', '/auth_web/manage/organization?search=onleave')
  const cell = page.getByText('138****4321')
  await expect(cell).toBeVisible()
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  expect(await leftOf(cell, 0)).toBeLessThan(await leftOf(cell, 10))
  await page.locator('[data-opens]').click()
  const phone = page.locator('.drawer .fact-list').getByText('+8613800004321')
  expect(await leftOf(phone, 0)).toBeLessThan(await leftOf(phone, 13))
  await page.goto('/auth_web/manage/login-log')
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  // `1 May 2026,` of `1 May 2026, 14:05`
  const day = page.locator('.data-row time .unbroken').first()
  await expect(day).toBeVisible()
  expect(await leftOf(day, 0)).toBeLessThan(await leftOf(day, 7))
})

async function speak(page: Page, language: '繁體中文' | 'English'): Promise<void> {
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: language }).click()
}

test('of two languages the one chosen last is shown, although the texts of the first arrive later', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lilei')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/zh_TW-*.js', async (route) => {
    await released
    await route.continue()
  })
  const asked = page.waitForRequest('**/assets/zh_TW-*.js')
  await speak(page, '繁體中文')
  await asked
  await speak(page, 'English')
  const late = page.waitForResponse('**/assets/zh_TW-*.js')
  release()
  await (await late).finished()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('link', { name: 'My applications' })).toBeVisible()
})

test('somebody whose permissions are new opens a page of the back office, although the language changes meanwhile', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root')
  // As stored before the permissions were given.
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('gatehouse.user') ?? '{}')
    localStorage.setItem('gatehouse.user', JSON.stringify({ ...user, isSuperUser: false, permissions: [] }))
  })
  const releasePermissions = await holdFirst(page, '**/administrator_manage/mine/**')
  const askedForPermissions = page.waitForRequest('**/administrator_manage/mine/**')
  await page.reload()
  await askedForPermissions
  // The texts arrive while the page waits for the permissions.
  const releaseTexts = await holdFirst(page, '**/assets/zh_TW-*.js')
  const askedForTexts = page.waitForRequest('**/assets/zh_TW-*.js')
  await speak(page, '繁體中文')
  await askedForTexts
  await page.evaluate((path) => history.pushState(null, '', path), PAGE)
  releaseTexts()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
  releasePermissions()
  await expect(page).toHaveURL(new RegExp(`${PAGE}$`))
  await expect(page.locator('tbody tr').first()).toBeVisible()
})
