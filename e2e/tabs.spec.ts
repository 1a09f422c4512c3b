import { expect, fillIn, test } from './fixtures.ts'

test('a login in one tab also logs the other one in, and a logout is shown there', async ({ page, context }) => {
  const first = page
  const second = await context.newPage()
  await first.goto('/auth_web/')
  await second.goto('/auth_web/certification-record/current-login')
  await expect(second).toHaveURL(/\/auth_web\/login\?service=/)
  await fillIn(first, 'lilei')
  await expect(first).toHaveURL(/my-apps$/)
  await expect(second).toHaveURL(/certification-record\/current-login$/)
  // A background tab renders when the browser chooses.
  await second.bringToFront()
  await expect(second.getByRole('heading', { name: 'Current logins' })).toBeVisible()
  await first.bringToFront()

  await first.getByRole('button', { name: /account menu/ }).click()
  await first.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(first).toHaveURL(/\/auth_web\/login\?service=/)
  const told = second.getByRole('dialog', { name: 'You are logged out' })
  await expect(told).toBeVisible()
  await told.getByRole('button', { name: 'Log in' }).click()
  await expect(second).toHaveURL(/\/auth_web\/login\?service=/)
})

test('two tabs of one login both keep working', async ({ page, context, logIn }) => {
  await logIn(page, 'hanmeimei')
  const second = await context.newPage()
  await second.goto('/auth_web/')
  await expect(second).toHaveURL(/my-apps$/)
  for (const tab of [page, second, page]) {
    await tab.bringToFront()
    await tab.getByRole('link', { name: 'Authentication records' }).click()
    await expect(tab.getByText('This login')).toHaveCount(1)
    await tab.getByRole('link', { name: 'My applications' }).click()
  }
})
