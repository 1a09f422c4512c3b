import type { Page } from '@playwright/test'
import { test as base } from './demo-school.ts'
import { expect, fillIn } from './fixtures.ts'
import type { Gatehouse } from './gatehouse.ts'

const LOGIN = /\/auth_web\/login\?/

type Demo = Gatehouse & { library: string; learning: string; lilei: { account: string; password: string } }
const test = base.extend<{ apps: Demo }>({
  apps: async ({ browser, demo, account }, use) => {
    // Only people who see the tiles know the applications' addresses.
    const page = await browser.newPage({ baseURL: demo.url, locale: 'en' })
    await page.goto('/auth_web/')
    await fillIn(page, 'hanmeimei', (await account('hanmeimei')).password)
    const addressOf = async (name: RegExp) =>
      (await page.getByRole('link', { name }).first().getAttribute('href')) ?? ''
    const library = await addressOf(/Library/)
    const learning = await addressOf(/Learning/)
    await page.close()
    await use({ ...demo, library, learning, lilei: await account('lilei') })
  },
})

test.describe.configure({ mode: 'default' })

/** Enters Library by its own login and then Learning; records every address on the way. */
async function enterBoth(page: Page, { library, learning, lilei }: Demo): Promise<void> {
  await page.goto(library)
  await expect(page).toHaveURL(LOGIN)
  await fillIn(page, lilei.account, lilei.password)
  await expect(page).toHaveURL(library)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('李雷')
  const seen: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && seen.push(request.url()))
  await page.goto(learning)
  await expect(page).toHaveURL(learning)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('李雷')
  await expect(page.locator('main')).toContainText('OpenID Connect')
  expect(seen.some((url) => url.includes('/oidc/authorize?'))).toBe(true)
  expect(seen.filter((url) => url.includes('/auth_web/'))).toEqual([])
}

test('log in by the CAS application, enter the OpenID Connect one without a login, log out there: logged out everywhere', async ({
  page,
  apps,
}) => {
  await enterBoth(page, apps)
  const portal = await page.context().newPage()
  await portal.goto(`${apps.url}/auth_web/`)
  await expect(portal).toHaveURL(/my-apps$/)

  await page.bringToFront()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${apps.learning}goodbye`)
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()

  await portal.bringToFront()
  // It may be navigating there by itself, which aborts the reload.
  await portal.reload().catch(() => null)
  await expect(portal).toHaveURL(LOGIN)
  // Its session may outlive ours for the moment that the message takes.
  await expect(async () => {
    await page.goto(apps.library)
    await expect(page).toHaveURL(LOGIN, { timeout: 1000 })
  }).toPass()
  await page.goto(apps.learning)
  await expect(page).toHaveURL(LOGIN)
})

test('logging out of the portal ends the session of the OpenID Connect application', async ({ page, apps }) => {
  await enterBoth(page, apps)
  await page.goto(`${apps.url}/auth_web/`)
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(LOGIN)
  await expect(async () => {
    await page.goto(apps.learning)
    await expect(page).toHaveURL(LOGIN, { timeout: 1000 })
  }).toPass()
})
