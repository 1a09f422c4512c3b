import { expect, fillIn, PASSWORD, test } from './fixtures.ts'

test.use({ login: { captchaAfterFailures: 2, lockAfterFailures: 5, lockMinutes: 15 } })

test('a wrong password shows one sentence, keeps the name and asks for the password again', async ({ page }) => {
  await page.goto('/auth_web/')
  await fillIn(page, 'lilei', 'not-it')
  await expect(page.getByRole('alert')).toContainText('The account or password is wrong')
  await expect(page.locator('#username')).toHaveValue('lilei')
  await expect(page.locator('#password')).toHaveValue('')
  await expect(page.locator('#password')).toBeFocused()
  await fillIn(page, 'nobody-at-all', 'not-it')
  await expect(page.getByRole('alert')).toContainText('The account or password is wrong')
})

test('after failures a captcha is solved in the background, without the person', async ({ page }) => {
  await page.goto('/auth_web/')
  for (let i = 0; i < 2; i++) {
    await fillIn(page, 'lisi', 'not-it')
    await expect(page.getByRole('alert')).toContainText('wrong')
    await expect(page.locator('#password')).toHaveValue('')
  }
  await expect(page.getByText('A short security check runs by itself')).toBeVisible()
  await fillIn(page, 'lisi')
  await expect(page).toHaveURL(/my-apps$/)
})

test('too many failures lock the name for a while, with the message of any wrong password', async ({ page }) => {
  await page.goto('/auth_web/')
  for (let i = 0; i < 6; i++) {
    const answered = page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().includes('/login?'),
    )
    await fillIn(page, 'zhaoliu', 'not-it')
    await answered
    await expect(page.locator('#password')).toHaveValue('')
  }
  await fillIn(page, 'zhaoliu', PASSWORD)
  await expect(page.getByRole('alert')).toContainText(/too many attempts.*15 min\./)
  await expect(page).not.toHaveURL(/my-apps/)
})
