import { expect, test } from './fixtures.ts'

test('a form of the settings stands where it stands, whichever page was open before, and the menu shows where that is', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-page-setup')
  const menu = page.getByRole('navigation', { name: 'Back-office menu' })
  await expect(menu.getByRole('link', { name: 'Login page', exact: true })).toBeInViewport()
  const form = page.locator('.login-page-columns')
  const first = await form.boundingBox()
  await page.getByRole('link', { name: 'Name, logo and contact' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'General settings' })).toBeVisible()
  await menu.getByRole('link', { name: 'Login page', exact: true }).click()
  await expect(form).toBeVisible()
  expect(await form.boundingBox()).toEqual(first)
})
