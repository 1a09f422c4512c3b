import { test } from './demo-school.ts'
import { expect, fillIn } from './fixtures.ts'

test.describe.configure({ mode: 'default' })

test('the demo school: log in as printed, find an application by pinyin, enter it, log out there', async ({
  page,
  account,
}) => {
  const lilei = await account('lilei')
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth_web\/login/)
  await fillIn(page, lilei.account, lilei.password)
  await expect(page).toHaveURL(/my-apps$/)
  await expect(page.locator('a.app-tile').nth(5)).toBeVisible()
  const broken = await page.evaluate(
    () => [...document.images].filter((one) => one.complete && one.naturalWidth === 0).length,
  )
  expect(broken).toBe(0)

  await page.getByRole('searchbox').or(page.getByLabel('Search applications')).first().fill('tsg')
  const tile = page.locator('a.app-tile').first()
  await expect(page.locator('a.app-tile')).toHaveCount(1)
  const opened = page.context().waitForEvent('page')
  await tile.click()
  const library = await opened
  await expect(library.getByRole('heading', { level: 1 })).toContainText('李雷')
  await expect(library.locator('main')).toContainText('lilei')
  await expect(library.locator('main')).toContainText('already knew you')

  await library
    .getByRole('button', { name: 'Log out' })
    .or(library.getByRole('link', { name: 'Log out' }))
    .first()
    .click()
  await expect(library.getByText('You are logged out')).toBeVisible()
  await page.bringToFront()
  await page.reload()
  await expect(page).toHaveURL(/\/auth_web\/login/)
})

test('the demo school in English fits a phone, with all its categories in one row', async ({ page, account }) => {
  const lilei = await account('lilei')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/auth_web/')
  await fillIn(page, lilei.account, lilei.password)
  await expect(page.getByRole('button', { name: 'Campus life' })).toBeAttached()
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(beyond).toBeLessThanOrEqual(0)
})

test('the administrator of the demo school sees who is logged in', async ({ page, account }) => {
  const admin = await account('admin')
  await page.goto('/auth_web/manage')
  await fillIn(page, admin.account, admin.password)
  await expect(page).toHaveURL(/manage\/organization$/)
  await expect(page.getByRole('tree')).toBeVisible()
  await page.goto('/auth_web/manage/current-login-manage')
  await expect(page.locator('tbody tr').first()).toContainText('admin')
})

test('the education platform of the demo school is shown complete, although its file leaves defaults out', async ({
  page,
  account,
}) => {
  const admin = await account('admin')
  await page.goto('/auth_web/manage/auth-edu')
  await fillIn(page, admin.account, admin.password)
  await expect(page.getByLabel('Preset')).toContainText('Tencent education (EPaaS)')
  const preview = page.getByRole('region', { name: 'What will be sent' })
  await expect(preview.locator('pre')).toHaveCount(3)
  await expect(preview).toContainText('&redirect_uri=')
})
