import { violations } from './axe.ts'
import { choose } from './fields.ts'
import { expect, fillIn, test } from './fixtures.ts'

test('a page moves the focus to its heading and takes its title from the translation', async ({ page, logIn }) => {
  await logIn(page, 'lisi')
  await expect(page).toHaveTitle(/^My applications · /)
  await page.getByRole('link', { name: 'Authentication records' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Current logins' })).toBeFocused()
  await expect(page).toHaveTitle(/^Current logins · /)
})

test('on a phone the keyboard scrolls the pages of a section into view, and the buttons of a calendar are announced', async ({
  page,
  logIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, 'lisi')
  await page.goto('/auth_web/certification-record/account')
  const pages = page.getByRole('navigation', { name: 'Authentication records' }).getByRole('link')
  const last = pages.last()
  await expect(last).not.toBeInViewport({ ratio: 1 })
  await pages.first().focus()
  while (!(await last.evaluate((link) => link === document.activeElement))) await page.keyboard.press('Tab')
  await expect(last).toBeInViewport({ ratio: 1 })

  await page.getByRole('button', { name: 'Filters' }).press('Enter')
  await choose(page.getByRole('combobox', { name: 'Time' }), 'Choose dates…')
  await page
    .getByRole('button', { name: /^Calendar/ })
    .first()
    .press('Enter')
  const steps = page.getByRole('dialog').locator('header').getByRole('button')
  for (const [at, name] of ['Previous year', 'Previous month', 'Next month', 'Next year'].entries())
    await expect(steps.nth(at)).toHaveAccessibleName(name)
})

test('the state of a list is in the address: filter, reload, share', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage')
  await expect(page).toHaveURL(/\/manage\/organization$/)
  await page.goto('/auth_web/manage/current-login-manage')
  await page.getByLabel('Name or account').fill('root')
  await expect(page).toHaveURL(/search=root/)
  await choose(page.getByRole('combobox', { name: 'Rows per page' }), /^30 /)
  await expect(page).toHaveURL(/pageSize=30/)
  await page.reload()
  await expect(page.getByLabel('Name or account')).toHaveValue('root')
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveText(/^30 /)
  await expect(page.getByRole('row', { name: /Root Admin/ }).first()).toBeVisible()
})

test('a first login must set a password before anything else, then continues to the requested application', async ({
  page,
  school,
}) => {
  await page.goto(school.library.url)
  await fillIn(page, 'newcomer')
  await expect(page).toHaveURL(/\/auth_web\/forgot-password\?.*type=2/)
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.goto('/auth_web/my-apps')
  await expect(page).toHaveURL(/\/auth_web\/forgot-password\?type=2/)
  await page.goto(school.library.url)
  await expect(page).toHaveURL(/\/auth_web\/forgot-password\?.*service=/)

  const submit = page.getByRole('button', { name: 'Set password and continue' })
  await submit.click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await expect(page.getByText("This password doesn't meet all the requirements yet.")).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('Quiet-River-27')
  await page.getByLabel('Confirm new password').fill('Quiet-River-2')
  await page.getByLabel('Confirm new password').blur()
  await expect(page.getByText("The passwords don't match.")).toBeVisible()
  await submit.click()
  await expect(page.getByLabel('Confirm new password')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Confirm new password').fill('Quiet-River-27')
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Password modified successfully' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome newcomer' })).toBeVisible()
})

test('a first login for a page of the portal ends at that page', async ({ page }) => {
  const wanted = '/auth_web/certification-record/account?pageSize=30'
  await page.goto(wanted)
  await fillIn(page, 'deeplink')
  await expect(page).toHaveURL(/\/auth_web\/forgot-password\?type=2/)
  await page.reload()
  await page.getByLabel('New password', { exact: true }).fill('Quiet-River-27')
  await page.getByLabel('Confirm new password').fill('Quiet-River-27')
  await page.getByRole('button', { name: 'Set password and continue' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(new RegExp(`${wanted.replace('?', '\\?')}$`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a browser whose clock is an hour wrong still works', async ({ page }) => {
  await page.clock.install({ time: new Date(Date.now() - 3_600_000) })
  await page.goto('/auth_web/')
  await fillIn(page, 'wangwu')
  await expect(page.getByRole('link', { name: /Library/ })).toBeVisible()
})

test('a gateway timeout is reported with a message and a retry', async ({ page, logIn }) => {
  await logIn(page, 'zhangsan')
  await page.route(/current_login\//, (route) => route.fulfill({ status: 504, body: '<html>504</html>' }))
  await page.getByRole('link', { name: 'Authentication records' }).click()
  await expect(page.getByRole('alert')).toContainText('please contact the school information center!')
  await page.unroute(/current_login\//)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('This login')).toBeVisible()
})
