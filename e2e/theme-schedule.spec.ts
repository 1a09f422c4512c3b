import type { Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { choose } from './fields.ts'
import { expect, type School, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/login-topic'

/** The schedule affects everybody on this server. */
test.describe.configure({ mode: 'serial' })

test.afterEach(async ({ school }) => changeSchedule(school, { schedule: [], banner: null }))

async function changeSchedule({ url }: School, changes: object): Promise<void> {
  const call = await callerAs(url, 'root')
  const { version } = await call<{ version: number }>('/login_config/themes/')
  await call('/login_config/schedule/', { version, changes })
}

const filterOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).filter)

test('a theme is scheduled for some days of every year, and the page of such a day is previewed', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('tab', { name: 'Schedule' }).click()
  await page.getByRole('button', { name: 'Add a period' }).click()
  const window = page.getByRole('group', { name: 'Period 1' })
  // What it begins with is another theme than the usual one, and is looked at.
  await expect(page.getByText('Pine (Period 1)')).toBeVisible()
  await choose(window.getByRole('combobox', { name: 'Theme' }), 'Seal')
  // Once named, the group has that name.
  await page.getByRole('textbox', { name: 'Occasion' }).fill('Founding day')
  await page.getByText('Every year').click()
  const login = page.frameLocator('.theme-preview iframe').locator('button[type=submit]').first()
  await expect(login).toHaveCSS('background-color', 'rgb(140, 29, 47)')
  await expect(page.getByText('Seal (Founding day)')).toBeVisible()
  await page.getByText('What changes').click()
  await expect(page.getByRole('cell', { name: /^Founding day: Seal, .*, Every year$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Change history' }).click()
  const latest = page.getByRole('tabpanel').locator('li.change').first()
  await latest.getByRole('button').first().click()
  await expect(latest.getByRole('cell', { name: /^Founding day: Seal, .*, Every year$/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Themes' }).click()
  await expect(page.getByText('Shown today by the schedule: Founding day.')).toBeVisible()
  await expect(page.locator('.theme-card-shown h2')).toHaveText('Seal')
})

test('on days of mourning one click and an end make every page grey, and one more restores the colours', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', `${PAGE}?tab=schedule`)
  await page.getByRole('button', { name: 'Show in greyscale…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Show in greyscale' }).click()
  await expect(page.getByText(/Every page is in greyscale until the end of/)).toBeVisible()
  const context = await browser.newContext({ baseURL: school.url, locale: 'en' })
  const visitor = await context.newPage()
  await visitor.goto('/auth_web/login?service=')
  expect(await filterOf(visitor)).toBe('grayscale(1)')
  await page.getByRole('button', { name: 'End now' }).click()
  await expect(page.getByText('The colours are back.')).toBeVisible()
  await visitor.reload()
  expect(await filterOf(visitor)).toBe('none')
  await context.close()
})

test('a banner is previewed while typing, then shown to everybody on the login page and in the portal', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', `${PAGE}?tab=banner`)
  await page.getByText('Show a banner').click()
  await page.getByRole('textbox', { name: 'Text, English' }).fill('Exams begin on Monday.')
  await page.getByText('Caution').click()
  await expect(page.frameLocator('.theme-preview iframe').locator('.banner-caution')).toHaveText(
    'Exams begin on Monday.',
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  const context = await browser.newContext({ baseURL: school.url, locale: 'en' })
  const visitor = await context.newPage()
  await visitor.goto('/auth_web/login?service=')
  await expect(visitor.locator('.banner')).toHaveText('Exams begin on Monday.')
  await logIn(visitor, 'lilei', '/auth_web/my-apps')
  await expect(visitor.locator('.banner-caution')).toHaveText('Exams begin on Monday.')
  await context.close()
})

test('a theme that is used and taken back with Undo from another page is taken off that page too', async ({
  page,
  logIn,
}) => {
  const colour = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary').trim())
  await logIn(page, 'root', PAGE)
  const use = page.getByRole('button', { name: /^Use / }).first()
  await expect(use).toBeVisible()
  const before = await colour()
  await use.click()
  await expect.poll(colour).not.toBe(before)
  await page.getByRole('link', { name: 'Change history' }).first().click()
  await expect(page).not.toHaveURL(/login-topic/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(colour).toBe(before)
})
