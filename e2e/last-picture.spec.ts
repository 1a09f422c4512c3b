import type { Page } from '@playwright/test'
import { expect, openSchool, testWithServer } from './fixtures.ts'

const entry = {
  ...{ appId: 'catalogue', name: 'Catalogue', protocol: 'cas', type: 'whitelist' },
  ...{ url: 'https://catalogue.test/', serviceUrls: ['https://catalogue.test/**'] },
}
const test = testWithServer('last picture', () => openSchool({}, (content) => ({ ...content, applications: [entry] })))

const picturesKept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith(':picture')).length)

test('a new tab starts with an inert snapshot of what was shown last, which is deleted with the session', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lilei')
  await expect.poll(() => picturesKept(page)).toBe(1)
  const names = await page.locator('.app-name').allTextContents()
  const tab = await page.context().newPage()
  const scripts = '**/assets/core-*.js'
  let answer = () => {}
  const awaited = new Promise<void>((resolve) => {
    answer = resolve
  })
  await tab.route(scripts, async (route) => {
    await awaited
    await route.continue()
  })
  await tab.goto(page.url(), { waitUntil: 'commit' })
  const picture = tab.locator('#picture')
  await expect(picture.locator('.app-name').first()).toBeVisible()
  expect(await picture.locator('.app-name').allTextContents()).toEqual(names)
  await expect(tab.getByRole('link')).toHaveCount(0)
  expect(await picture.evaluate((one) => (one as HTMLElement).inert)).toBe(true)
  expect(await picture.locator('[href], [onclick], [id]').count()).toBe(0)
  answer()
  await expect(tab.getByRole('link', { name: /^Catalogue/ }).first()).toBeVisible()
  await expect(picture).toHaveCount(0)

  await tab.unroute(scripts)
  await tab.route(scripts, (route) => route.abort())
  await tab.reload({ waitUntil: 'commit' })
  await expect(tab.locator('#shell').getByRole('link')).toBeVisible()
  await expect(picture).toHaveCount(0)
  await tab.close()
  await page.getByRole('button', { name: /account menu|menu of/i }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.locator('#username')).toBeVisible()
  expect(await picturesKept(page)).toBe(0)
})

test('an invalid snapshot does not block the page, and if the scripts never load it disappears after a while', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lilei')
  await expect.poll(() => picturesKept(page)).toBe(1)
  const tab = await page.context().newPage()
  await page.evaluate(() => {
    const name = Object.keys(localStorage).find((one) => one.endsWith(':picture')) ?? ''
    const kept = JSON.parse(localStorage.getItem(name) ?? '{}')
    localStorage.setItem(name, JSON.stringify({ ...kept, data: { ...kept.data, shown: null } }))
  })
  await tab.goto(page.url(), { waitUntil: 'commit' })
  await expect(tab.getByRole('link', { name: /^Catalogue/ }).first()).toBeVisible()
  const damaged = () => page.evaluate(() => Object.values(localStorage).some((one) => one.includes('"shown":null')))
  await expect.poll(damaged).toBe(false)

  // If the scripts neither load nor fail, the snapshot stays only for a while.
  await tab.route('**/assets/core-*.js', () => {})
  await tab.clock.install()
  await tab.reload({ waitUntil: 'commit' })
  await tab.clock.runFor(10_000)
  await expect(tab.locator('#picture')).toBeVisible()
  await tab.clock.runFor(11_000)
  await expect(tab.locator('#shell').getByRole('link')).toBeVisible()
  await expect(tab.locator('#picture')).toHaveCount(0)
})
