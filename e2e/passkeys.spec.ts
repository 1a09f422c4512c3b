import { setUpApp } from './authenticator-app.ts'
import { expect } from './fixtures.ts'
import { accessible, logIn, logOut, reauthenticate, TWO_STEP, test, virtualAuthenticator } from './two-step.ts'

test.describe.configure({ mode: 'default' })

test('a passkey is created and named, and logs in without name and password', async ({ page }) => {
  const { devtools, id } = await virtualAuthenticator(page)
  // Not yet: the login page's suggestions would answer by themselves.
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
  await logIn(page, 'passkey')
  await page.waitForURL('**/my-apps')
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: true })
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await reauthenticate(page, 'Your password', 'Confirm')
  // It has a default name, which can't be empty.
  await expect(page.getByLabel('Name of the passkey')).toHaveValue(/Chrome · Linux/)
  await page.getByLabel('Name of the passkey').fill('')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Name of the passkey')).toBeFocused()
  await accessible(page)
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
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

test('adding an authenticator app to a passkey asks for the passkey instead of the password, and the set-up opens', async ({
  page,
  server,
}) => {
  await virtualAuthenticator(page)
  await logIn(page, 'beside')
  await page.waitForURL('**/my-apps')
  await page.goto(TWO_STEP)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await reauthenticate(page, 'Your password', 'Confirm')
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('My laptop')).toBeVisible()
  // As in a session after a password-only login in a trusted browser.
  await server.sql`update sso_sessions set second_factor = null, second_factor_at = null
    where user_id = (select id from users where account = 'beside')`
  await server.sql`delete from reauthentications`
  await page.reload()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByRole('button', { name: 'Use my passkey' }).click()
  await expect(page.locator('.secret-key code')).toBeVisible()
})

test('a passkey among the suggestions of the user name field logs in', async ({ page }) => {
  await virtualAuthenticator(page)
  await logIn(page, 'staff')
  await expect(page.getByRole('heading', { name: 'Set up two-step verification' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('My phone')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/my-apps')
  await logOut(page)
  // The test's authenticator answers the page's automatic request.
  await page.goto('/auth_web/')
  await page.waitForURL('**/my-apps')
  await expect(page.getByText('Staff Member').first()).toBeVisible()
})

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })

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
    await reauthenticate(page, '您的密码', '验证')
    // Not the previous dialog's button of the same name.
    await expect(page.locator('.secret-key code')).toBeVisible()
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
