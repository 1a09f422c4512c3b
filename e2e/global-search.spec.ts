import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search people' })
const options = (page: Page) => page.getByRole('dialog').getByRole('option')

async function openSearch(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Search people' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

test('by keyboard alone: Ctrl-K finds a person, a department, an application and a page, and opens them', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/current-login-manage')
  await openSearch(page)
  await page.keyboard.type('lilei')
  await expect(options(page)).toHaveText([/Person lilei/, /Why can't Person lilei log in/])
  await expect(page.getByRole('group', { name: 'People' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/manage\/organization\?open=[\da-f-]{36}$/)
  const drawer = page.locator('dialog.drawer')
  await expect(drawer.getByRole('heading', { level: 2 }).first()).toHaveText('Person lilei (lilei)')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')

  await page.goto('/auth_web/manage/current-login-manage')
  await openSearch(page)
  await page.keyboard.type('li')
  await expect(page.getByRole('group', { name: 'Applications' }).getByRole('option')).toHaveText([/Library/])
  const first = await field(page).getAttribute('aria-activedescendant')
  await page.keyboard.press('ArrowDown')
  await expect(field(page)).not.toHaveAttribute('aria-activedescendant', first ?? '')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  // Up from the first wraps to the last.
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')

  await field(page).fill('computer sc')
  await expect(options(page)).toHaveText([/Computer Science.*Demo University/])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/manage\/organization\?organization=[\da-f-]{36}$/)

  await page.goto('/auth_web/manage')
  await openSearch(page)
  await page.keyboard.type('current logins')
  await expect(options(page)).toHaveText([/current logins/i])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/current-login-manage$/)

  const pages = page.getByRole('group', { name: 'Pages' }).getByRole('option')
  await openSearch(page)
  for (const [typed, found] of [
    ['yingyong', /Applications/],
    ['变更', /Change history/],
    ['juese', /Role/],
    ['2fa', /Login rules/],
    ['passkey', /Login rules/],
    ['备份', /General settings/],
    ['failures', /Login log/],
  ] as const) {
    await field(page).fill(typed)
    await expect(pages.filter({ hasText: found }).first()).toBeVisible()
  }
})

test('the search also finds actions: the import, a new person with its dialog, and why an application is not accessible', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage')
  await openSearch(page)
  await field(page).fill('import people')
  await expect(page.getByRole('group', { name: 'Actions' }).getByRole('option')).toHaveText([/Import people/])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/manage\/organization\/import$/)
  await openSearch(page)
  await field(page).fill('xinjian')
  await options(page).filter({ hasText: 'New person' }).click()
  const dialog = page.getByRole('dialog', { name: 'New person' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/manage\/organization$/)
  await openSearch(page)
  await field(page).fill('library')
  await options(page).filter({ hasText: "Why can't someone open Library?" }).click()
  await expect(page.getByRole('dialog', { name: "Check someone's access" })).toBeVisible()
})

test('for an address the search leads to its counters', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage')
  await openSearch(page)
  await field(page).fill('10.20.30.40')
  await page.getByRole('group', { name: 'Login help' }).getByRole('option').click()
  await expect(page.getByRole('heading', { name: 'Counters for 10.20.30.40' })).toBeVisible()
  await expect(page.getByText('0 different names')).toBeVisible()
})

test('a code that never arrived: the search leads to what was sent to a phone number or mailbox', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage')
  await openSearch(page)
  for (const typed of ['code never arrived', '收不到', 'shoubudao']) {
    await field(page).fill(typed)
    await expect(options(page).filter({ hasText: "See why a code didn't arrive" })).toBeVisible()
  }
  for (const receiver of ['+8613812345678', 'lost@school.test', '13812345678']) {
    await field(page).fill(receiver)
    const help = page.getByRole('group', { name: 'Login help' }).getByRole('option')
    await expect(help).toHaveText([`Why did ${receiver} get no code?`])
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/message-log\?search=/)
  await expect(page.getByRole('searchbox', { name: 'Name, account, phone' })).toHaveValue('13812345678')
})

test('Esc closes the search and restores the focus, and Enter of an IME opens nothing', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/current-login-manage')
  const opener = page.getByRole('button', { name: 'Search people' })
  await opener.click()
  await expect(field(page)).toBeFocused()
  // All pages while nothing is typed.
  await expect(page.getByRole('group', { name: 'Pages' }).getByRole('option').first()).toBeVisible()
  await field(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await expect(field(page)).toBeVisible()
  await field(page).fill('nothing is called like this')
  await expect(page.getByText('No results for')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('menu groups stay collapsed, except the group of the current page', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/current-login-manage')
  const logs = page.getByRole('button', { name: 'Log centre' })
  const link = page.getByRole('link', { name: 'All current logins' })
  await expect(link).toHaveAttribute('aria-current', 'page')
  await logs.click()
  await expect(link).toBeHidden()
  await page.goto('/auth_web/manage/administrator-manage')
  await expect(logs).toHaveAttribute('aria-expanded', 'false')
  await page.goto('/auth_web/manage/current-login-manage')
  await expect(link).toBeVisible()
})
