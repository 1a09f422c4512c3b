import type { Page } from '@playwright/test'
import { MAIL_PROVIDERS } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { expect, fillIn, testWithServer } from './fixtures.ts'
import { openSchoolBeside } from './vendor-school.ts'

const test = testWithServer('email', openSchoolBeside(MAIL_PROVIDERS.exmail))

async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

/** As a new administrator who first copies the wrong secret. */
async function setUp(page: Page, url: string): Promise<void> {
  await page.goto('/auth_web/manage/email')
  await fillIn(page, 'root')
  await page.waitForURL('**/manage/email')
  await expect(page.getByRole('heading', { level: 1, name: 'Corporate mailbox' })).toBeVisible()
  const settings = MAIL_PROVIDERS.exmail.settings(url) as Record<string, string>
  await page.getByLabel('CorpId', { exact: true }).fill(settings['corpId'] ?? '')
  for (const host of ['API host', 'Webmail host']) await page.getByLabel(new RegExp(`^${host}`)).fill(url)
  const secret = page.getByLabel('Secret', { exact: true })
  await secret.fill('wrong')
  await page.getByLabel('Domain', { exact: true }).fill('example.edu')

  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByRole('button', { name: 'Preview' }).click()
  await expect(preview.getByText('lilei@example.edu')).toBeVisible()
  await expect(preview.getByRole('button', { name: 'No address (0)' })).toBeVisible()

  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.getByText('The secret is wrong, or belongs to another function')).toBeVisible()
  await secret.fill('nothing-secret-in-a-simulator')
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.locator('.vendor-step-well')).toHaveCount(4)
  await expectSound(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(secret).toHaveValue('******')
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText('Mailbox settings changed').first()).toBeVisible()
}

test('the mailbox is set up, and each click on its tile opens it with a new link', async ({ page, server }) => {
  test.setTimeout(180_000)
  await setUp(page, server.vendor.url)
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())

  await page.goto('/auth_web/')
  await fillIn(page, 'lilei')
  await page.waitForURL('**/auth_web/my-apps')
  const tile = page.getByRole('region', { name: 'Mailbox' }).getByRole('link')
  await expect(tile).toContainText('lilei@example.edu')
  await expectSound(page)
  const opened = page.waitForEvent('popup')
  await tile.click()
  const mailbox = await opened
  await expect(mailbox.getByRole('heading', { name: 'Mailbox of lilei@example.edu' })).toBeVisible()
  expect(mailbox.url()).toMatch(/^http:\/\/localhost:\d+\/cgi-bin\/login\?/)
  // The link was valid once.
  await mailbox.reload()
  await expect(mailbox.getByRole('heading', { name: 'Not logged in' })).toBeVisible()
  await mailbox.close()

  server.vendor.about = { 'lilei@example.edu': 'unknown' }
  await page.goto('/auth_web/mailbox')
  await expect(page.getByRole('alert')).toContainText("lilei@example.edu doesn't exist at the mail provider yet")
  await expectSound(page)
  server.vendor.about = {}
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Mailbox of lilei@example.edu' })).toBeVisible()
})
