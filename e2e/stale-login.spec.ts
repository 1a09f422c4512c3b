import { expect, fillIn, test } from './fixtures.ts'

const TARGET = '/auth_web/certification-record/current-login'

test('a login page left open for eight hours, with its cookies gone, still leads to the requested page', async ({
  page,
  context,
}) => {
  await page.goto(TARGET)
  await expect(page.locator('#username')).toBeVisible()
  await context.clearCookies()
  await fillIn(page, 'lilei')
  await expect(page).toHaveURL(/certification-record\/current-login$/)
  await expect(page.getByText('This login')).toBeVisible()
})

test('a bookmarked login page redirects at once when the person is already logged in', async ({ page, logIn }) => {
  await page.goto(TARGET)
  await expect(page.locator('#username')).toBeVisible()
  const bookmark = page.url()
  await logIn(page, 'hanmeimei')
  await page.goto(bookmark)
  await expect(page).toHaveURL(/certification-record\/current-login$/)
})

test('a bookmark with a used hand-over code silently restarts the login', async ({ page, logIn }) => {
  const seen: string[] = []
  page.on('framenavigated', (frame) => seen.push(frame.url()))
  page.on('request', (request) => seen.push(request.url()))
  await logIn(page, 'zhangsan')
  const used = seen.find((url) => /auth_web.*jsessionid=/.test(url)) ?? ''
  expect(used).not.toBe('')
  await page.goto(used)
  await expect(page).toHaveURL(/my-apps$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('going back after the login shows no error and no dead end', async ({ page }) => {
  await page.goto('/auth_web/')
  await fillIn(page, 'lisi')
  await expect(page).toHaveURL(/my-apps$/)
  await page.goBack()
  await expect(async () => {
    const url = page.url()
    expect(url).toMatch(/my-apps$|auth_web\/login/)
    expect(await page.locator('#username, h1').count()).toBeGreaterThan(0)
  }).toPass()
})

test('a portal page whose cookies were deleted goes to the login and returns to the same address', async ({
  page,
  context,
  logIn,
}) => {
  await logIn(page, 'wangwu')
  await context.clearCookies()
  await page.getByRole('link', { name: 'Authentication records' }).click()
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
  await fillIn(page, 'wangwu')
  await expect(page).toHaveURL(/certification-record\/current-login$/)
})
