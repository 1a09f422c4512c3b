import type { Page } from '@playwright/test'
import { presetSettings } from '../server/testing/campus-id.presets.ts'
import { type CampusId, startCampusId } from '../server/testing/campus-id.ts'
import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, test as schoolTest, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

type Connected = { url: string; campus: CampusId; stop(): Promise<void> }

/** A school whose people also have accounts at Campus ID. */
async function openConnected(): Promise<Connected> {
  const campus = await startCampusId()
  // On another site, for realistic cookies.
  campus.url = campus.url.replace('127.0.0.1', 'localhost')
  const people = ['anna', 'bei', 'carl', 'dora'].map((account) => ({
    account,
    name: `Person ${account}`,
    password: PASSWORD,
  }))
  const gatehouse = await startGatehouse({
    bootstrap: {
      users: people,
      thirdPartyProviders: [
        {
          key: 'campus-id',
          connector: 'oauth2',
          name: 'Campus ID',
          names: { zh_CN: '校园通', zh_TW: '校園通' },
          settings: presetSettings('oidc', campus.url),
          unbound: 'bind',
        },
      ],
    },
  })
  campus.redirectUri = `${gatehouse.url}/auth_service/third_party/campus-id/callback`
  const stop = async () => {
    await gatehouse.stop()
    await campus.close()
  }
  return { url: gatehouse.url, campus, stop }
}

const test = testWithServer('third party', openConnected)

test.describe.configure({ mode: 'default' })

const PAGE = '/auth_web/account-security/third-party-account'

async function open(page: Page, account: string): Promise<void> {
  await page.goto(PAGE)
  await fillIn(page, account)
  await page.waitForURL(`**${PAGE}`)
}

async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

test('a person links an account, logs in with it and unlinks it, by keyboard where it matters', async ({ page }) => {
  await open(page, 'anna')
  await expect(page.getByRole('heading', { level: 1, name: 'Third-party accounts' })).toBeVisible()
  await expect(page.getByText('Not linked')).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Link Campus ID' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Continue as Li Lei' }).click()
  await expect(page.getByText('Campus ID is linked.')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${PAGE}$`))
  const row = page.getByRole('listitem').filter({ hasText: 'Campus ID' })
  await expect(row).toContainText('Linked')
  await expect(row).toContainText('L***i')
  await expectSound(page)

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth_web/')
  await page.waitForURL('**/auth_web/login?*')
  await expectSound(page)
  await page.getByRole('link', { name: 'Campus ID' }).click()
  await page.getByRole('link', { name: 'Continue as Li Lei' }).click()
  await page.waitForURL('**/auth_web/my-apps')
  await page.goto(PAGE)
  await expect(row).toContainText('last used')
  await page.getByRole('button', { name: 'Unlink Campus ID' }).click()
  await page.getByRole('dialog').locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Unlink L***i at Campus ID?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectSound(page)
  await question.getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByText('Unbind successfully')).toBeVisible()
  await expect(row).toContainText('Not linked')
})

test.describe('in Chinese, on a phone, in the dark', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('a person not linked yet logs in once with the password, and from then on without', async ({ page }) => {
    await page.goto('/auth_web/')
    await page.getByRole('link', { name: '校园通' }).click()
    await page.getByRole('link', { name: 'Continue as Han Meimei' }).click()
    await expect(page.getByRole('heading', { name: '该账号尚未绑定' })).toBeVisible()
    await expectSound(page)
    await page.getByRole('link', { name: '登录并绑定' }).click()
    await fillIn(page, 'bei')
    const question = page.getByRole('dialog', { name: '绑定校园通账号 H***i？' })
    await expect(question).toContainText('Person bei（bei）')
    await expectSound(page)
    await question.getByRole('button', { name: '绑定', exact: true }).click()
    await expect(page.getByText('已绑定校园通')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: '校园通' })).toContainText('已绑定')
    await expectSound(page)

    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/auth_web/')
    await page.getByRole('link', { name: '校园通' }).click()
    await page.getByRole('link', { name: 'Continue as Han Meimei' }).click()
    await page.waitForURL('**/auth_web/my-apps')
  })
})

test('a person who cancels at the provider returns to the same page, and nothing is linked', async ({ page }) => {
  await open(page, 'carl')
  await page.getByRole('button', { name: 'Link Campus ID' }).click()
  await page.getByRole('dialog').locator('input[type=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Refuse' }).click()
  await page.waitForURL(`**${PAGE}`)
  await expect(page.getByText('Not linked')).toBeVisible()
})

test('an invalid answer of a provider is explained, with a link back; so is an expired code', async ({
  page,
  server,
}) => {
  server.campus.trouble.token = 'garbage'
  await page.goto('/auth_web/')
  await page.getByRole('link', { name: 'Campus ID' }).click()
  await page.getByRole('link', { name: 'Continue as Somebody Else' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText("Campus ID sent a response that can't be trusted")).toBeVisible()
  await expectSound(page)
  server.campus.trouble = {}
  await page.getByRole('link', { name: 'Log in again' }).click()
  await fillIn(page, 'dora')
  await page.waitForURL('**/auth_web/my-apps')
  await page.goto(`${PAGE}?bind=${'x'.repeat(32)}`)
  await expect(page.getByRole('alert')).toContainText("wasn't started in this browser")
  await expectSound(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(new RegExp(`${PAGE}$`))
})

schoolTest('without any provider the page says so', async ({ page, logIn }) => {
  await logIn(page, 'reader', PAGE)
  await expect(page.getByRole('heading', { name: 'Nothing to link' })).toBeVisible()
  await expectSound(page)
})
