import { expect, PASSWORD, test } from './fixtures.ts'

test('by keyboard alone: log in, find an application, open it, log out', async ({ page, school }) => {
  await page.goto('/auth_web/')
  await expect(page.locator('#username')).toBeFocused()
  await page.keyboard.type('keyboard')
  for (
    let stops = 1;
    !(await page.locator('#password').evaluate((field) => field === document.activeElement));
    stops++
  ) {
    expect(stops).toBeLessThanOrEqual(2)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/my-apps$/)
  await expect(page.getByRole('link', { name: /Library/ })).toBeVisible()

  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('lib')
  await expect(page.getByText('1 application found')).toBeVisible()
  for (
    let i = 0;
    i < 12 && !(await page.getByRole('link', { name: /Library/ }).evaluate((link) => link === document.activeElement));
    i++
  ) {
    await page.keyboard.press('Tab')
  }
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  const library = await opened
  await expect(library).toHaveURL(school.library.url)
  await page.bringToFront()

  await page.getByRole('button', { name: /account menu/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /account menu/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/auth_web\/login\?service=/)
})

test('a select by keyboard alone: closed, letters find and arrows step; open, it starts at the chosen option', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'keyboard', '/auth_web/personal-data')
  const month = page.getByRole('combobox', { name: 'Month' })
  await month.focus()
  await page.keyboard.type('ju')
  await expect(month).toHaveText('June')
  await page.keyboard.press('ArrowRight')
  await expect(month).toHaveText('July')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'July' })).toBeFocused()
  await expect(month).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(month).toHaveText('August')
  await expect(month).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'August' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(month).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'August' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'September' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(month).toHaveText('September')
  await expect(month).not.toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(month).toBeFocused()
})
