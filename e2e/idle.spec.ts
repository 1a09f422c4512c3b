import { expect, test } from './fixtures.ts'

test.use({ login: { expirationMinutes: 2 } })

const soon = { name: 'Are you still there?' }
const over = { name: 'You have stayed too long' }

test('a minute before the idle logout the page warns; staying continues, silence ends in a single dialog', async ({
  page,
  logIn,
}) => {
  await page.clock.install()
  await logIn(page, 'lilei')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.fastForward(62_000)
  const warning = page.getByRole('dialog', soon)
  await expect(warning).toBeVisible()
  await expect(warning.getByRole('button', { name: 'Log out' })).toBeVisible()
  const reported = page.waitForResponse(/login\/activity/)
  await warning.getByRole('button', { name: 'Stay logged in' }).click()
  expect((await reported).status()).toBe(200)
  await expect(warning).toBeHidden()

  await page.clock.fastForward(62_000)
  await expect(page.getByRole('dialog', soon)).toBeVisible()
  await page.clock.fastForward(60_000)
  const end = page.getByRole('dialog', over)
  await expect(end).toBeVisible()
  await expect(end.getByRole('button')).toHaveCount(1)
  // Whoever sits there now can read nothing of the previous person.
  await expect(page.locator('h1')).toBeHidden()
  await end.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
})

test('activity in one tab keeps the other from warning', async ({ page, context, logIn }) => {
  await context.clock.install()
  await logIn(page, 'lisi')
  const second = await context.newPage()
  await second.goto('/auth_web/my-apps')
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible()
  await context.clock.fastForward(40_000)
  const reported = second.waitForResponse(/login\/activity/)
  await second.mouse.move(200, 200)
  await second.mouse.move(220, 240)
  await context.clock.runFor(2_000)
  await reported
  await context.clock.fastForward(40_000)
  await expect(page.getByRole('dialog', soon)).toHaveCount(0)
  await context.clock.fastForward(30_000)
  for (const tab of [page, second]) await expect(tab.getByRole('dialog', soon)).toBeVisible()
})

test('settings that can not be read are reported with the message of the server, and the default time applies until they load', async ({
  page,
  logIn,
}) => {
  const settings = /login_property_page_config/
  const message = 'The settings are being restored.'
  await page.route(settings, (route) =>
    route.fulfill({ status: 500, json: { state: 500, code: 'server.error', message, data: null } }),
  )
  // As on a page without data inlined by the server.
  await page.addInitScript(() => {
    const remove = () => document.getElementById('surroundings')?.remove()
    new MutationObserver(remove).observe(document, { childList: true, subtree: true })
  })
  await page.clock.install()
  await logIn(page, 'lisi')
  const notice = page.getByRole('status').getByText(message)
  await expect(notice).toBeVisible()
  await page.clock.fastForward(28 * 60_000)
  await expect(notice).toBeVisible()
  await expect(page.getByRole('dialog', soon)).toHaveCount(0)
  await page.clock.fastForward(62_000)
  await expect(page.getByRole('dialog', soon)).toBeVisible()
  await page.getByRole('button', { name: 'Stay logged in' }).click()
  await page.unroute(settings)
  await page.clock.fastForward(31_000)
  await expect(notice).toHaveCount(0)
  await page.clock.fastForward(62_000)
  await expect(page.getByRole('dialog', soon)).toBeVisible()
})
