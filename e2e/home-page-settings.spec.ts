import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/home-page-settings'

test('the home page is arranged with a preview, a student sees it on a phone, and it is rolled back', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', PAGE)
  const frame = page.frameLocator('.login-page-preview iframe')
  await expect(frame.locator('.app-section').first()).toBeAttached()
  await page.getByRole('textbox', { name: /^English/ }).fill('Term starts on Monday')
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByRole('textbox', { name: 'Link 1, English' }).fill('Calendar')
  await page.getByRole('textbox', { name: 'Link 1, address' }).fill('https://school.test/calendar')
  // With the keyboard; the focus stays on the moved row's button.
  await page.getByRole('button', { name: 'Move up Links' }).focus()
  for (let step = 0; step < 6; step++) await page.keyboard.press('Enter')
  const partNames = page.locator('.ordered-switches').first().locator('label')
  await expect(partNames.nth(1)).toHaveText('Links')
  await expect(page.getByRole('button', { name: 'Move up Links' })).toBeFocused()
  // Then with the mouse, by the handle.
  const handleOf = (at: number) => page.locator('.ordered-switches').first().locator('.ordered-grip').nth(at)
  const [from, to] = [await handleOf(1).boundingBox(), await handleOf(0).boundingBox()]
  if (!from || !to) throw new Error('no handles')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + 4, { steps: 5 })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.mouse.up()
  await expect(partNames.first()).toHaveText('Links')
  // Nothing returns the focus to the earlier button.
  await expect(page.locator('.ordered-step:focus')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Move up Links' })).toBeDisabled()
  await page.locator('.save-difference > summary').click()
  await expect(page.locator('.save-difference').getByRole('row', { name: /^Links/ })).toContainText('Calendar')
  await expect(frame.getByText('Term starts on Monday')).toBeAttached()
  await expect(frame.locator('.app-section').first().locator('a')).toHaveText(/^Calendar/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)

  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ baseURL: school.url, locale: 'en', viewport })
  const phone = await context.newPage()
  await logIn(phone, 'hanmeimei', '/auth_web/my-apps')
  await expect(phone.getByText('Term starts on Monday')).toBeVisible()
  await expect(phone.locator('.app-section').first().getByRole('link', { name: 'Calendar' })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await phone.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

  await page.getByRole('textbox', { name: /^English/ }).fill('')
  await page.getByRole('button', { name: 'Remove link 1' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await phone.reload()
  await expect(phone.locator('.app-section').first()).toBeVisible()
  await expect(phone.getByText('Term starts on Monday')).toHaveCount(0)
  await context.close()
})
