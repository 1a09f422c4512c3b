import { expect, fillIn, test } from './fixtures.ts'

test.describe('a login above the limit is refused', () => {
  test.use({ login: { mostSessions: 1, onMoreSessions: 'refuse' } })

  test('a person who lost a device ends its login and gets in, by keyboard alone', async ({
    page,
    browser,
    school,
    logIn,
  }) => {
    const lost = await browser.newContext({ baseURL: school.url })
    await logIn(await lost.newPage(), 'lilei')
    await page.goto('/auth_web/')
    await fillIn(page, 'lilei')
    await expect(page.getByRole('heading', { name: 'Logged in elsewhere' })).toBeFocused()
    const choice = page.getByRole('checkbox')
    await expect(choice).toBeChecked()
    await choice.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('at least 1 login')
    await choice.check()
    await page.getByRole('button', { name: 'End and log in' }).click()
    await expect(page).toHaveURL(/my-apps$/)
    await lost.close()
  })
})

test.describe('a login above the limit ends the oldest', () => {
  test.use({ login: { mostSessions: 1 } })

  test('the tab whose login was ended says why', async ({ page, browser, school, logIn }) => {
    await logIn(page, 'lilei')
    const newer = await browser.newContext({ baseURL: school.url })
    await logIn(await newer.newPage(), 'lilei')
    await page.reload()
    const dialog = page.getByRole('dialog', { name: 'Logged out by a newer login' })
    await expect(dialog).toContainText('change your password')
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await expect(page.locator('#username')).toBeVisible()
    await newer.close()
  })
})
