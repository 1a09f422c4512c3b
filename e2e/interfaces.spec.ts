import type { Page } from '@playwright/test'
import { callWithKey } from '../server/testing/open-api.ts'
import type { TestServer } from '../server/testing/server.ts'
import { expect, test } from './fixtures.ts'

/** Tabs until a control with this name has the focus. */
async function tabTo(page: Page, name: RegExp, most = 80): Promise<void> {
  for (let steps = 0; steps < most; steps++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const here = document.activeElement
      const label = here instanceof HTMLInputElement ? here.labels?.[0] : here
      return here?.getAttribute('aria-label') ?? label?.textContent ?? ''
    })
    if (name.test(label.trim())) return
  }
  throw new Error(`no Tab stop is called ${name}`)
}

test('by keyboard alone an interface is granted and the key copied once; the call of the program is listed', async ({
  page,
  school,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/application-manage?search=library')
  await page
    .getByRole('row', { name: /Library/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('tab', { name: 'Interfaces' }).click()
  await expect(page.getByText('No interface granted yet')).toBeVisible()

  await tabTo(page, /^Issue a key$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Issue a key' })).toBeVisible()
  await tabTo(page, /^Issue$/)
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: 'Your new app key' })
  const appKey = (await shown.locator('code').textContent()) ?? ''
  expect(appKey).toMatch(/^ghk_\w{40}$/)
  await expect(shown.getByRole('button', { name: 'I have saved it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(appKey)).toHaveCount(0)

  await tabTo(page, /^Grant interfaces$/)
  await page.keyboard.press('Enter')
  await page.keyboard.type('one person')
  await tabTo(page, /^Read one person/)
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: /Read one person/ })).toBeChecked()
  await tabTo(page, /^Grant 1$/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 interface granted')).toBeVisible()
  await expect(page.getByRole('cell', { name: /person\.read/ })).toBeVisible()

  const server = { url: school.url, platform: { now: () => new Date() } } as TestServer
  const call = () => callWithKey(server, { appId: 'library', appKey }, '/open_api/person/?account=lilei')
  expect(await call()).toMatchObject({ status: 200, data: { user: 'lilei', attributes: { name: ['Person lilei'] } } })

  await page.goto('/auth_web/manage/api-manage')
  await expect(page.getByRole('row', { name: /person\.read/ })).toBeVisible()
  await tabTo(page, /^Disable Read one person/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Disable$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Enable Read one person by account or ID' })).toBeVisible()
  expect(await call()).toMatchObject({ status: 403, code: 'open-api.interface-disabled' })

  await page.goBack()
  const calls = page.getByRole('region', { name: 'Recent calls' })
  await expect(calls.getByText('This interface is disabled.')).toBeVisible()
  await expect(calls.getByRole('row', { name: /Answered/ })).toBeVisible()
})

test('the overview shows the day in numbers, with and without charts, in Chinese too', async ({
  page,
  context,
  school,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/home')
  await expect(page.getByRole('link', { name: 'Home' }).first()).toHaveAttribute('aria-current', 'page')
  const drawing = page.getByRole('img', { name: /^Logins today so far: \d+/ })
  await drawing.scrollIntoViewIfNeeded()
  await expect(drawing.locator('canvas')).toBeVisible()
  const summary = page.getByText('Show the numbers').first()
  await summary.focus()
  await page.keyboard.press('Enter')
  const table = page.getByRole('table', { name: 'Logins today, hour by hour' })
  await expect(table.getByRole('row')).toHaveCount(25)

  await context.addCookies([{ name: 'gatehouse_language', value: 'zh_CN', url: school.url }])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: '首页' })).toBeVisible()
  await expect(page.getByRole('term').filter({ hasText: '今日失败' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '近 30 天' })).toBeVisible()
})
