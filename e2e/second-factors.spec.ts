import { test as base, type CDPSession, expect, type Page } from '@playwright/test'
import { appCode, setUpApp } from './authenticator-app.ts'
import { violations } from './axe.ts'
import { fillIn, PASSWORD } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

const people = ['app', 'appzh', 'noscript', 'passkey', 'passkeyzh', 'tabs'].map((account) => ({
  account,
  name: `Person ${account}`,
  password: PASSWORD,
}))
const bootstrap = {
  userCategories: [{ code: 'staff', name: 'Staff' }],
  users: [
    ...people,
    { account: 'staff', name: 'Staff Member', password: PASSWORD, category: 'staff' },
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
  ],
  settings: { login: { secondFactorCategories: ['staff'] } },
}

const test = base.extend<object, { school: Gatehouse }>({
  school: [
    async ({ browserName: _ }, use) => {
      const opened = await startGatehouse({ bootstrap, host: 'localhost' })
      await use(opened)
      await opened.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ school }, use) => use(school.url),
})

const accessible = async (page: Page) => expect(await violations(page)).toEqual([])

async function logIn(page: Page, account: string): Promise<void> {
  await page.goto('/auth_web/')
  await fillIn(page, account)
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/auth_service/login/logout/')
  await page.goto('about:blank')
}

/** The proof that a sensitive change asks for. */
async function prove(page: Page, label: string, verb: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: verb, exact: true }).click()
}

const TWO_STEP = '/auth_web/account-security/two-step'

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
  await prove(page, 'Your password', 'Confirm')
  await page.getByRole('button', { name: 'Cancel' }).click()
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
  await expect(page.getByRole('alert')).toHaveText('This is not right. Please try again.')
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
  await expect(page.getByText('No browser is trusted.')).toBeVisible()

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

test('a super user without a second step is led to one, and nowhere else', async ({ page }) => {
  await logIn(page, 'root')
  await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await accessible(page)
  await page.goto('/auth_web/manage/current-login-manage')
  await expect(page).toHaveURL(/second-factor$/)
  const app = await setUpApp(page)
  await expect(page.getByRole('heading', { name: 'Your second step is set up' })).toBeVisible()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.waitForURL('**/my-apps')
  await page.goto('/auth_web/manage/current-login-manage')
  await expect(page.locator('tbody tr').first()).toBeVisible()
  expect(app.secret).toHaveLength(32)
})

test('without script the second step is a form', async ({ page, browser, school }) => {
  await logIn(page, 'noscript')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await prove(page, 'Your password', 'Confirm')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const app = await setUpApp(page)
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: school.url, locale: 'en' })
  const plain = await context.newPage()
  await plain.goto(`/fwk_cas_service/login`)
  await fillIn(plain, 'noscript')
  await expect(plain.getByText('A recovery code works here too.')).toBeVisible()
  await plain.getByLabel('Code').fill('000000')
  await plain.getByRole('button', { name: 'Verify' }).click()
  await expect(plain.getByText('This is not right.')).toBeVisible()
  await plain.getByLabel('Code').fill(app.recoveryCodes[0] ?? '')
  await plain.getByRole('button', { name: 'Verify' }).click()
  await plain.waitForURL('**/auth_web/**')
  await plain.goto('/fwk_cas_service/login')
  await expect(plain.getByText('You are logged in')).toBeVisible()
  await context.close()
})

test('a second step that was left too long begins anew by itself, and one in another tab goes on', async ({
  page,
  context,
}) => {
  await logIn(page, 'tabs')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await prove(page, 'Your password', 'Confirm')
  await page.getByRole('button', { name: 'Cancel' }).click()
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

/** An authenticator built into the machine, which verifies its user. */
async function virtualAuthenticator(page: Page): Promise<{ devtools: CDPSession; id: string }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, id: authenticatorId }
}

test('a passkey: made, named, and a login without name and password', async ({ page }) => {
  const { devtools, id } = await virtualAuthenticator(page)
  // Not before it is wanted: the suggestions of the login page would answer by themselves.
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
  await logIn(page, 'passkey')
  await page.waitForURL('**/my-apps')
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: true })
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await prove(page, 'Your password', 'Confirm')
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByLabel('Name of the passkey')).toBeFocused()
  await accessible(page)
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('My laptop')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Rename “My laptop”' }).click()
  await page.getByLabel('Name of the passkey').fill('Office laptop')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByText('Office laptop')).toBeVisible()

  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
  await logOut(page)
  await page.goto('/auth_web/')
  const button = page.getByRole('button', { name: 'Log in with a passkey' })
  await expect(button).toBeVisible()
  await accessible(page)
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: true })
  await button.click()
  await page.waitForURL('**/my-apps')
  await expect(page.getByText('Person passkey').first()).toBeVisible()
})

test('a passkey among the suggestions of the user name field logs in', async ({ page }) => {
  await virtualAuthenticator(page)
  await logIn(page, 'staff')
  await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('My phone')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.waitForURL('**/my-apps')
  await logOut(page)
  // The authenticator of the test answers the question that the page asks by itself.
  await page.goto('/auth_web/')
  await page.waitForURL('**/my-apps')
  await expect(page.getByText('Staff Member').first()).toBeVisible()
})

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })

  test('身份验证器：设置、登录时验证、恢复码', async ({ page }) => {
    await logIn(page, 'appzh')
    await page.waitForURL('**/my-apps')
    await page.goto(TWO_STEP)
    await page.getByRole('button', { name: '设置身份验证器' }).click()
    await prove(page, '您的密码', '验证')
    await page.getByRole('button', { name: '取消' }).click()
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

  test('通行密钥：添加，作为第二步登录', async ({ page }) => {
    const { devtools, id } = await virtualAuthenticator(page)
    const answers = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })
    await answers(false)
    await logIn(page, 'passkeyzh')
    await page.waitForURL('**/my-apps')
    await answers(true)
    await page.goto(TWO_STEP)
    await page.getByRole('button', { name: '设置身份验证器' }).click()
    await prove(page, '您的密码', '验证')
    await page.getByRole('button', { name: '取消' }).click()
    await setUpApp(page, 'zh')
    await page.getByRole('button', { name: '添加通行密钥' }).click()
    await page.getByLabel('通行密钥名称').fill('我的手机')
    await page.getByRole('button', { name: '继续' }).click()
    await expect(page.getByText('我的手机')).toBeVisible()
    await accessible(page)
    await answers(false)
    await logOut(page)
    await logIn(page, 'passkeyzh')
    await expect(page.getByRole('heading', { name: '两步验证' })).toBeVisible()
    await page.getByRole('button', { name: '通行密钥', exact: true }).click()
    await accessible(page)
    await answers(true)
    await page.getByRole('button', { name: '使用通行密钥' }).click()
    await page.waitForURL('**/my-apps')
  })
})
