import { expect, fillIn, test } from './fixtures.ts'

test.use({ login: { rememberMeLongSecond: 86_400 } })

test('a person who wants to be warned is asked before an application learns who they are', async ({ page, school }) => {
  await page.goto('/auth_web/')
  await page.getByLabel('Ask me before each application').check()
  await fillIn(page, 'lilei')
  // The portal is a service too, so it asks as well, or continues by itself.
  await page
    .getByRole('link', { name: 'Continue' })
    .click({ timeout: 3000 })
    .catch(() => {})
  await expect(page).toHaveURL(/my-apps$/)
  await page.goto(school.library.url)
  await expect(page.getByRole('heading', { name: 'Continue to Library?' })).toBeVisible()
  expect(school.library.inside()).not.toContain('lilei')
  await page
    .getByRole('link', { name: 'Continue' })
    .or(page.getByRole('button', { name: 'Continue' }))
    .click()
  await expect(page.getByRole('heading', { name: 'Welcome lilei' })).toBeVisible()
})

test('a remembered login survives closing the browser, any other does not', async ({ browser, school }) => {
  for (const [account, remembered] of [
    ['hanmeimei', true],
    ['zhangsan', false],
  ] as const) {
    const context = await browser.newContext({ baseURL: school.url, locale: 'en' })
    const page = await context.newPage()
    await page.goto('/auth_web/')
    if (remembered) await page.getByLabel('Stay logged in for 1 day').check()
    await fillIn(page, account)
    await expect(page).toHaveURL(/my-apps$/)
    const { cookies } = await context.storageState()
    await context.close()
    const lasting = cookies.filter(({ expires }) => expires > 0)
    const again = await browser.newContext({
      baseURL: school.url,
      locale: 'en',
      storageState: { cookies: lasting, origins: [] },
    })
    const later = await again.newPage()
    await later.goto('/auth_web/')
    await expect(later).toHaveURL(remembered ? /my-apps$/ : /\/auth_web\/login\?service=/)
    await again.close()
  }
})

test('a logout requested by another site needs a confirmation', async ({ page, school, logIn }) => {
  await logIn(page, 'lisi')
  await page.goto('about:blank')
  const evil = `<a href="${school.url}/auth_service/login/logout/">prize</a>`
  await page.route('http://evil.test/', (route) => route.fulfill({ contentType: 'text/html', body: evil }))
  await page.goto('http://evil.test/')
  await page.getByRole('link', { name: 'prize' }).click()
  await expect(page.getByRole('heading', { name: 'Log out everywhere?' })).toBeVisible()
  await page.goto(`${school.url}/auth_web/my-apps`)
  await expect(page).toHaveURL(/my-apps$/)

  await page.goto('http://evil.test/')
  await page.getByRole('link', { name: 'prize' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await page.goto(`${school.url}/auth_web/my-apps`)
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
})
