import { EDUCATION_PLATFORMS } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { expect, fillIn, testWithServer } from './fixtures.ts'
import { openSchoolBeside } from './vendor-school.ts'

const test = testWithServer('auth-edu', openSchoolBeside(EDUCATION_PLATFORMS.epaas))

test('an administrator starts from a preset, sees what will be sent, and people log in', async ({ page, server }) => {
  const { vendor: platform } = server
  await page.goto('/auth_web/manage/auth-edu')
  await fillIn(page, 'root')
  await page.waitForURL('**/manage/auth-edu')
  await expect(page.getByText('Enter the client ID and the addresses first.')).toBeVisible()

  // What only the discovery document knows is not shown as an address.
  const preview = page.getByRole('region', { name: 'What will be sent' })
  await page.getByLabel('Discovery URL').fill('https://id.example/.well-known/openid-configuration')
  await page.getByLabel('Client ID (AppKey)').fill('gatehouse')
  await expect(preview).toContainText('POST <token_endpoint>')
  await page.getByLabel('Discovery URL').fill('')

  await page.getByLabel('Preset').click()
  await page.getByRole('option', { name: 'Tencent education (EPaaS)' }).click()
  await expect(page.getByLabel('Token URL')).toHaveValue('https://sso.qq.com/open/access_token')
  const settings = EDUCATION_PLATFORMS.epaas.settings(platform.url)
  await page.getByLabel('Authorization URL').fill(String(settings['authorizeUrl']))
  await page.getByLabel('Token URL').fill(String(settings['tokenUrl']))
  await page.getByLabel('Userinfo URL').fill(String(settings['userUrl']))
  await page.getByLabel('Client ID (AppKey)').fill('gatehouse')
  await page.getByLabel('Client secret (AppSecret)', { exact: true }).fill(String(settings['clientSecret']))

  await expect(preview.locator('pre')).toHaveCount(3)
  await expect(preview).toContainText(`${platform.url}/open/oauth2/authorize`)
  await expect(preview).toContainText('?appid=gatehouse')
  await expect(preview).toContainText('"secret": "******"')
  await expect(preview).not.toContainText(String(settings['clientSecret']))
  // Input is shown at once, and no longer counts as a preset's.
  await page.locator('summary', { hasText: 'Authorization' }).click()
  await page.getByLabel('Scope').first().fill('basic')
  await page.locator('summary', { hasText: 'Parameter names' }).click()
  await page.getByRole('textbox', { name: 'Scope' }).nth(1).fill('scope')
  await expect(preview).toContainText('&scope=basic')
  await expect(page.getByLabel('Preset')).toContainText('your own')
  await page.getByRole('textbox', { name: 'Scope' }).nth(1).fill('')

  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.getByText('The platform refused a made-up login with this code.')).toBeVisible()
  await expect(page.locator('.vendor-step-failed')).toHaveCount(0)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Try a login' }).click()
  const popup = await opened
  await popup.getByRole('link', { name: '李雷' }).click()
  await expect(popup.getByText('Nobody here is linked: they would log in once in another way and link.')).toBeVisible()
  await expect(popup.getByText('student', { exact: true })).toBeVisible()
  await expect(popup.getByText('This was a test')).toBeVisible()
  expect(await violations(popup)).toEqual([])
  await popup.close()

  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(page.getByLabel('Client secret (AppSecret)', { exact: true })).toHaveValue('******')

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth_web/')
  await page.getByRole('link', { name: 'Education platform' }).click()
  await page.getByRole('link', { name: '李雷' }).click()
  await page
    .getByRole('link', { name: /Log in/ })
    .first()
    .click()
  await fillIn(page, 'lilei')
  await page.getByRole('dialog').getByRole('button', { name: /Link/ }).click()
  await expect(page.getByText('Education platform is linked.')).toBeVisible()

  // Another platform behind the same client ID may give the same user IDs to other people.
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth_web/manage/auth-edu')
  await fillIn(page, 'root')
  await page.waitForURL('**/manage/auth-edu')
  const caution = page.getByText('1 person stays linked under the same client ID.')
  await page.getByLabel('Userinfo URL').fill(`${String(settings['userUrl'])}/v2`)
  await expect(caution).toBeHidden()
  await page.getByLabel('Userinfo URL').fill('https://elsewhere.example.edu/userinfo')
  await expect(caution).toBeVisible()
  await page.locator('summary', { hasText: 'ID token and identity' }).click()
  await page.getByLabel('User IDs are unique within').fill('elsewhere')
  await expect(caution).toBeHidden()
})
