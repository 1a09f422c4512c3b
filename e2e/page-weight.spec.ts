import type { Browser, Page } from '@playwright/test'
import { test } from './demo-school.ts'
import { expect, fillIn } from './fixtures.ts'
import { watchTraffic } from './page-traffic.ts'

test.describe.configure({ mode: 'default' })

const QUIET_MS = 1500

/** What a browser with only the login requests until the page is complete. */
async function weigh(browser: Browser, page: Page, path: string, ready: string) {
  const context = await browser.newContext({ storageState: await page.context().storageState(), locale: 'en' })
  const tab = await context.newPage()
  const traffic = await watchTraffic(await context.newCDPSession(tab))
  await tab.goto(new URL(path, page.url()).href)
  await expect(tab.locator(ready).first()).toBeVisible()
  await traffic.untilQuiet(QUIET_MS)
  await expect(tab.locator('#shell')).toHaveCount(0)
  await context.close()
  const paths = traffic.requests.map((url) => new URL(url).pathname)
  return { paths, kilobytes: traffic.bytes / 1000, list: paths.join('\n') }
}

test('the home page takes at most 12 requests and 200 kB, and no call is made twice', async ({
  browser,
  page,
  account,
}) => {
  const lilei = await account('lilei')
  await page.goto('/auth_web/')
  await fillIn(page, lilei.account, lilei.password)
  await expect(page.locator('a.app-tile').first()).toBeVisible()
  const { paths, kilobytes, list } = await weigh(browser, page, '/auth_web/my-apps', 'a.app-tile')
  expect(paths.length, list).toBeLessThanOrEqual(12)
  expect(new Set(paths).size, list).toBe(paths.length)
  expect(kilobytes, list).toBeLessThan(200)
})

test('the people page of the back office takes at most 18 requests and 300 kB, and no call but the tree is made twice', async ({
  browser,
  page,
  account,
}) => {
  const admin = await account('admin')
  await page.goto('/auth_web/manage/organization')
  await fillIn(page, admin.account, admin.password)
  await expect(page.getByRole('treeitem').first()).toBeVisible()
  const { paths, kilobytes, list } = await weigh(browser, page, '/auth_web/manage/organization', '[role=treeitem]')
  expect(paths.length, list).toBeLessThanOrEqual(18)
  const others = paths.filter((path) => !path.endsWith('/organization/children/'))
  expect(new Set(others).size, list).toBe(others.length)
  expect(kilobytes, list).toBeLessThan(300)
})

test('later style sheets have the same precedence as those of the first page: all are in one place, in load order', async ({
  page,
  account,
}) => {
  const admin = await account('admin')
  await page.goto('/auth_web/my-apps')
  await fillIn(page, admin.account, admin.password)
  const sheets = () =>
    page.evaluate(() => [...document.styleSheets].map(({ href }) => href?.replace(/.*assets.|-.*/g, '')))
  await expect(page.locator('a.app-tile').first()).toBeVisible()
  expect((await sheets()).filter(Boolean)[0]).toBe('core')
  await page.getByRole('link', { name: 'Back office' }).first().click()
  await expect(page.getByRole('button', { name: 'Search people' })).toBeVisible()
  const all = (await sheets()).filter(Boolean)
  expect(all[0]).toBe('core')
  expect(all).toContain('office')
  expect(await page.evaluate(() => document.head.querySelectorAll('link[rel=stylesheet]').length)).toBe(0)
})
