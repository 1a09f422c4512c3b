import { expect, fillIn, test } from './fixtures.ts'

test('a chunk that can not be loaded causes one automatic reload, then a button, never a white page', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lisi')
  await page.route(/assets\/CurrentLoginPage.*\.js/, (route) => route.abort())
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.goto('/auth_web/certification-record/current-login')
  const dialog = page.getByRole('dialog', { name: "Part of this page couldn't be loaded" })
  await expect(dialog).toBeVisible()
  expect(loads).toBe(2)
  await page.unroute(/assets\/CurrentLoginPage.*\.js/)
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText('This login')).toBeVisible()
})

test('a login refused by the server ends in the dialog "Prompt" with its message and one button', async ({ page }) => {
  await page.route(/login\/pc\//, (route) =>
    route.fulfill({
      status: 423,
      json: { state: 423, code: 'account.frozen', message: 'Frozen until Monday.', data: null },
    }),
  )
  await page.goto('/auth_web/')
  await fillIn(page, 'lisi')
  const prompt = page.getByRole('dialog', { name: 'Prompt' })
  await expect(prompt).toContainText('Frozen until Monday.')
  await expect(prompt.getByRole('button', { name: 'Log out' })).toBeFocused()
  await page.unroute(/login\/pc\//)
  await prompt.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
})

test('a login call that gets no answer at all leads to the page 404', async ({ page }) => {
  await page.route(/login\/pc\//, (route) => route.abort())
  await page.goto('/auth_web/')
  await fillIn(page, 'lisi')
  await expect(page).toHaveURL(/\/auth_web\/404$/)
})

test('a call without a session says that the login has expired', async ({ page, logIn }) => {
  await logIn(page, 'lisi')
  await page.evaluate(() => localStorage.removeItem('gatehouse.token'))
  await page.getByRole('searchbox').waitFor()
  await page
    .getByRole('link', { name: /Library/ })
    .first()
    .click()
  const prompt = page.getByRole('dialog', { name: 'Tip' })
  await expect(prompt).toContainText('The current user login has expired, log in again')
  await prompt.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
})

test('a tab that shows a logout continues by itself when somebody logs in again', async ({ page, context, logIn }) => {
  await logIn(page, 'zhaoliu')
  const second = await context.newPage()
  await second.goto('/auth_web/certification-record/current-login')
  await expect(second.getByText('This login')).toBeVisible()
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(second.getByRole('dialog', { name: 'You are logged out' })).toBeVisible()
  await fillIn(page, 'zhaoliu')
  await page.waitForURL('**/my-apps')
  await expect(second.getByText('This login')).toBeVisible()
  await expect(second.getByRole('dialog')).toHaveCount(0)
})

test('the pages that confirm a changed password show nothing without a change', async ({ page, logIn }) => {
  await page.goto('/auth_web/forgot-password-success')
  await expect(page).toHaveURL(/\/auth_web\/forgot-password$/)
  await expect(page.getByLabel('Account')).toBeVisible()
  await logIn(page, 'lisi')
  await page.goto('/auth_web/forgot-password?type=2')
  await expect(page).toHaveURL(/\/auth_web\/my-apps$/)
  await expect(page.getByText('Password modified successfully')).toHaveCount(0)
})

test('a new tab shows the applications of this session while loading, and never those of another session', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lisi')
  const tile = page.locator('a.app-tile').first()
  await expect(tile).toBeVisible()
  const tab = await page.context().newPage()
  let answer = () => {}
  const isAnswered = new Promise<void>((done) => {
    answer = done
  })
  await tab.route(/user_information\/[^/]+\/app\//, async (route) => {
    await isAnswered
    await route.continue().catch(() => {})
  })
  await tab.goto('/auth_web/my-apps')
  await expect(tab.locator('a.app-tile').first()).toBeVisible()
  // Bound to the token: with another one nothing is shown.
  await tab.evaluate(() => {
    for (const name of Object.keys(localStorage).filter((key) => key.startsWith('gatehouse.last-reply:'))) {
      const kept = JSON.parse(localStorage.getItem(name) ?? '')
      localStorage.setItem(name, JSON.stringify({ ...kept, token: 'of another session' }))
    }
  })
  await tab.reload({ waitUntil: 'commit' })
  await expect(tab.locator('.my-apps .app-section, .app-grid-skeleton, [aria-busy=true]').first()).toBeAttached()
  await expect(tab.locator('a.app-tile')).toHaveCount(0)
  answer()
  await expect(tab.locator('a.app-tile').first()).toBeVisible()
  await tab.close()
})
