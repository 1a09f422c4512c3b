import type { Page } from '@playwright/test'
import { appCode, setUpApp } from './authenticator-app.ts'
import { expect, fillIn } from './fixtures.ts'
import { accessible, logIn, logOut, reauthenticate, TWO_STEP, test } from './two-step.ts'

test.describe.configure({ mode: 'default' })

async function cancelSetUp(page: Page, cancel = 'Cancel'): Promise<void> {
  // Not the previous dialog's button of the same name.
  await expect(page.locator('.secret-key code')).toBeVisible()
  await page.getByRole('button', { name: cancel }).click()
}

test('an authenticator app: set up, asked at the login, trusted browser, recovery code', async ({ page }) => {
  test.setTimeout(90_000)
  await logIn(page, 'app')
  await page.waitForURL('**/my-apps')
  await page.goto('/auth_web/account-security/set-account')
  await page.getByRole('button', { name: 'Set up two-step verification' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Two-step verification' })).toBeFocused()
  await accessible(page)
  const setUp = page.getByRole('button', { name: 'Set up an authenticator app' })
  await setUp.click()
  await reauthenticate(page, 'Your password', 'Confirm')
  await cancelSetUp(page)
  const app = await setUpApp(page, 'en', () => accessible(page))
  expect(app.recoveryCodes).toHaveLength(10)
  await expect(page.getByText('10 of 10 recovery codes left')).toBeVisible()
  await accessible(page)

  await logOut(page)
  await logIn(page, 'app')
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  await expect(page).toHaveTitle(/Two-step verification/)
  const code = page.getByLabel('Code')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await accessible(page)
  await code.fill('000000')
  await code.press('Enter')
  await expect(page.getByRole('alert')).toHaveText("That isn't right. Please try again.")
  await expect(code).toBeFocused()
  await accessible(page)
  await page.getByLabel('Trust this browser for 30 days').check()
  await code.fill(appCode(app.secret, 1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL('**/my-apps')

  await logOut(page)
  await logIn(page, 'app')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await expect(page.getByText('This browser')).toBeVisible()
  await page.getByRole('button', { name: /^Stop trusting/ }).click()
  await accessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Stop trusting' }).click()
  await expect(page.getByText('No trusted browsers.')).toBeVisible()

  await logOut(page)
  await logIn(page, 'app')
  await page.getByRole('button', { name: 'Recovery code' }).click()
  const recovery = page.getByLabel('Recovery code')
  await expect(recovery).toBeFocused()
  await recovery.fill(app.recoveryCodes[3] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await expect(page.getByText('9 of 10 recovery codes left')).toBeVisible()
})

test('a super user without a second factor has to set one up before anything else', async ({ page }) => {
  await logIn(page, 'root')
  await expect(page.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await accessible(page)
  await page.goto('/auth_web/manage/current-login-manage')
  await expect(page).toHaveURL(/second-factor\?next=[^&]+current-login-manage$/)
  const app = await setUpApp(page)
  await expect(page.getByRole('heading', { name: 'Two-step verification is set up' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/manage/current-login-manage')
  await expect(page.locator('tbody tr').first()).toBeVisible()
  expect(app.secret).toHaveLength(32)
})

test('without scripts the second factor is a form', async ({ page, browser, server }) => {
  await logIn(page, 'noscript')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await reauthenticate(page, 'Your password', 'Confirm')
  await cancelSetUp(page)
  const app = await setUpApp(page)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url, locale: 'en' })
  const plain = await context.newPage()
  await plain.goto(`/fwk_cas_service/login`)
  await fillIn(plain, 'noscript')
  await expect(plain.getByText('A recovery code works here too.')).toBeVisible()
  await plain.getByLabel('Code').fill('000000')
  await plain.getByRole('button', { name: 'Verify' }).click()
  await expect(plain.getByText("That isn't right.")).toBeVisible()
  await plain.getByLabel('Code').fill(app.recoveryCodes[0] ?? '')
  await plain.getByRole('button', { name: 'Verify' }).click()
  await plain.waitForURL('**/auth_web/**')
  await plain.goto('/fwk_cas_service/login')
  await expect(plain.getByText('You are logged in')).toBeVisible()
  await context.close()
})

test('a reauthentication that completes after its dialog was closed does not close the next dialog', async ({
  page,
}) => {
  await logIn(page, 'late')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  const setUp = page.getByRole('button', { name: 'Set up an authenticator app' })
  await setUp.click()
  let letThrough = () => {}
  const later = new Promise<void>((done) => {
    letThrough = done
  })
  await page.route('**/reauthentication/submit/**', async (route) => {
    await later
    await route.fulfill({ json: { state: 200, message: '', data: { freshUntil: new Date().toISOString() } } })
  })
  await reauthenticate(page, 'Your password', 'Confirm')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await setUp.click()
  const field = page.getByLabel('Your password', { exact: true })
  await expect(field).toBeVisible()
  const answered = page.waitForResponse('**/reauthentication/submit/**')
  letThrough()
  await answered
  await field.fill('typed on')
  await expect(field).toHaveValue('typed on')
})

test('an expired second-factor page restarts the login by itself, and one in another tab continues', async ({
  page,
  context,
}) => {
  await logIn(page, 'tabs')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await reauthenticate(page, 'Your password', 'Confirm')
  await cancelSetUp(page)
  const app = await setUpApp(page)
  await logOut(page)
  await logIn(page, 'tabs')
  await expect(page.getByLabel('Code')).toBeVisible()
  await context.clearCookies({ name: 'gatehouse_pending' })
  await page.getByLabel('Code').fill(appCode(app.secret, 1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('This took too long. Please log in again.')).toBeVisible()
  await fillIn(page, 'tabs')
  await expect(page.getByLabel('Code')).toBeVisible()

  const other = await context.newPage()
  await other.goto('/auth_web/')
  await other.getByLabel('Code').fill(app.recoveryCodes[0] ?? '')
  await other.getByRole('button', { name: 'Verify' }).click()
  await other.waitForURL('**/my-apps')
  await page.waitForURL('**/my-apps')
})

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })

  test('身份验证器：设置、登录时验证、恢复码', async ({ page }) => {
    await logIn(page, 'appzh')
    await page.waitForURL('**/my-apps')
    await page.goto(TWO_STEP)
    await page.getByRole('button', { name: '设置身份验证器' }).click()
    await reauthenticate(page, '您的密码', '验证')
    await cancelSetUp(page, '取消')
    const app = await setUpApp(page, 'zh', () => accessible(page))
    await accessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await logOut(page)
    await logIn(page, 'appzh')
    await expect(page.getByRole('heading', { name: '两步验证' })).toBeVisible()
    await accessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByLabel('验证码').fill(appCode(app.secret, 1))
    await page.getByRole('button', { name: '验证', exact: true }).click()
    await page.waitForURL('**/my-apps')
    await logOut(page)
    await logIn(page, 'appzh')
    await page.getByRole('button', { name: '恢复码' }).click()
    await page.getByLabel('恢复码').fill(app.recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: '验证', exact: true }).click()
    await page.waitForURL('**/my-apps')
  })
})
