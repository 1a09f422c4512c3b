import type { Browser, Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { expect, type School, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/login-topic'

/** Everybody sees what is chosen here. */
test.describe.configure({ mode: 'serial' })

async function visitor(browser: Browser, school: School, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: school.url, locale: 'en' })
  await act(await context.newPage())
  await context.close()
}

const buttonColour = (page: Page) =>
  page
    .locator('button[type=submit]')
    .first()
    .evaluate((button) => getComputedStyle(button).backgroundColor)

test('a theme is made from another, followed by the real page, published, put to use and taken back', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Duplicate Gatehouse' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Our campus')
  await page.getByRole('button', { name: 'Create theme' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit “Our campus”')
  const frame = page.frameLocator('.theme-preview iframe')
  const login = frame.locator('button[type=submit]').first()
  await expect(login).toHaveCSS('background-color', 'rgb(31, 75, 153)')
  await page.getByRole('textbox', { name: 'Brand colour', exact: true }).fill('#8c1d2f')
  await expect(login).toHaveCSS('background-color', 'rgb(140, 29, 47)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await visitor(browser, school, async (other) => {
    await other.goto('/auth_web/login?service=')
    expect(await buttonColour(other)).toBe('rgb(31, 75, 153)')
  })
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published.')).toBeVisible()
  await page.getByRole('button', { name: 'All themes' }).click()
  await page.getByRole('button', { name: 'Use Our campus' }).click()
  // The button goes away with its purpose; the keyboard goes on from the title.
  await expect(page.getByRole('heading', { level: 1, name: 'Themes' })).toBeFocused()
  await expect(page.getByText('The theme is in use')).toBeVisible()
  await visitor(browser, school, async (other) => {
    await other.goto('/auth_web/login?service=')
    expect(await buttonColour(other)).toBe('rgb(140, 29, 47)')
    await other.goto('/auth_web/login?service=&safe=1')
    expect(await buttonColour(other)).toBe('rgb(31, 75, 153)')
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Use Our campus' })).toBeVisible()
})

test('what is hard to read is mended in one click, or published with a reason', async ({ page, logIn, school }) => {
  const call = await callerAs(school.url, 'root')
  const { id } = await call('/login_config/create/', { name: 'Faint', base: 'gatehouse' })
  await logIn(page, 'root', `${PAGE}?open=${id}`)
  await page.locator('summary', { hasText: 'Text' }).click()
  await page.getByRole('textbox', { name: 'Secondary text', exact: true }).fill('#b0b4bb')
  await page.getByRole('tab', { name: 'Contrast' }).click()
  await expect(page.getByRole('status').filter({ hasText: '3 pairs of colours are hard to read' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByText(/3 pairs of colours are hard to read. Adjust/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Adjust Secondary text on Card' }).click()
  await expect(page.getByText('Every pair of colours is easy to read.')).toBeVisible()
})

test('the login page is laid out by sight, and works in the centre without script, on a phone and with large text', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-page-setup')
  const frame = page.frameLocator('.login-page-preview iframe')
  await expect(frame.locator('.page-right')).toBeVisible()
  await page.getByText('Form in the centre').click()
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByRole('textbox', { name: 'Link 1, English' }).fill('Campus map')
  await page.getByRole('textbox', { name: 'Link 1, address' }).fill('https://map.school.test/')
  await page.getByRole('textbox', { name: 'ICP filing number' }).fill('京ICP备12345678号-1')
  await expect(frame.locator('.page-centre')).toBeVisible()
  await expect(frame.getByRole('link', { name: 'Campus map', includeHidden: true })).toBeAttached()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  for (const width of [1440, 390]) {
    const viewport = { width, height: 844 }
    const context = await browser.newContext({ baseURL: school.url, locale: 'en', javaScriptEnabled: false, viewport })
    const other = await context.newPage()
    await other.goto('/auth_web/login?service=')
    await expect(other.getByRole('link', { name: 'Campus map' })).toBeVisible()
    await expect(other.getByRole('link', { name: /京ICP备/ })).toHaveAttribute('href', 'https://beian.miit.gov.cn/')
    await expect(other.locator('#username')).toBeInViewport()
    await context.close()
  }
  await visitor(browser, school, async (other) => {
    await other.setViewportSize({ width: 390, height: 844 })
    await other.goto('/auth_web/login?service=')
    await other.evaluate(() => document.documentElement.style.setProperty('--reading', '2'))
    const tooWide = await other.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(tooWide).toBeLessThanOrEqual(0)
  })
  await page.getByText('Form on the right').click()
  await page.getByRole('button', { name: 'Remove link 1' }).click()
  await page.getByRole('textbox', { name: 'ICP filing number' }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})
