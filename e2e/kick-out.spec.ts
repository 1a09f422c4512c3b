import { expect, test } from './fixtures.ts'

test('an administrator kicks a person out of the portal and the application', async ({
  browser,
  page,
  school,
  logIn,
}) => {
  const theirs = await browser.newContext()
  const person = await theirs.newPage()
  await logIn(person, 'zhaoliu')
  const library = await theirs.newPage()
  await library.goto(school.library.url)
  await expect(library.getByRole('heading', { name: 'Welcome zhaoliu' })).toBeVisible()

  await logIn(page, 'root', '/auth_web/manage/current-login-manage')
  await page.getByLabel('Name or account').fill('zhaoliu')
  await page.getByLabel('Name or account').press('Enter')
  await page.getByRole('button', { name: 'Kick out Person zhaoliu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Kick out' }).click()
  await expect(page.getByText('1 login ended')).toBeVisible()
  const told = page.getByRole('dialog', { name: 'Application logout' })
  await expect(told.getByRole('listitem')).toContainText(['Logged out'])
  await page.keyboard.press('Enter')
  // The button that opened this is gone with its row.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Kick out Person zhaoliu' })).toHaveCount(0)

  await expect.poll(() => school.library.inside(), { timeout: 60_000 }).not.toContain('zhaoliu')
  await person.getByRole('link', { name: 'Authentication records' }).click()
  await expect(person).toHaveURL(/\/auth_web\/login\?service=/)
  await library.reload()
  await expect(library).toHaveURL(/\/auth_web\/login\?service=/)
  await theirs.close()
})

test('before all logins of a person end, the dialog names their account beside the name', async ({
  browser,
  page,
  logIn,
}) => {
  const theirs = await browser.newContext()
  const person = await theirs.newPage()
  await logIn(person, 'lisi')
  await logIn(page, 'root', '/auth_web/manage/current-login-manage?search=lisi')
  await page.getByRole('button', { name: 'End all logins of Person lisi' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'End all logins of Person lisi (lisi)?' })
  await dialog.getByRole('button', { name: 'Kick out' }).click()
  await expect(page.getByText(/\d+ logins? ended/)).toBeVisible()
  // The history of it names no number of a background task.
  await page.goto('/auth_web/manage/change-history?targetKind=task')
  const change = page.getByRole('list', { name: 'Change history' }).getByRole('listitem').first()
  await expect(change).toContainText('Background task')
  await expect(change.locator('.change-title')).not.toContainText(/[\da-f]{8}-/)
  await theirs.close()
})

test('a person ends another of their logins, and this one stays', async ({ browser, page, logIn }) => {
  const theirs = await browser.newContext()
  const other = await theirs.newPage()
  await logIn(other, 'wangwu')
  await logIn(page, 'wangwu')
  await page.getByRole('link', { name: 'Authentication records' }).click()
  const logins = page.getByRole('list', { name: 'Current logins' }).getByRole('listitem')
  await expect(logins).toHaveCount(2)
  await expect(logins.first()).toContainText('This login')
  await expect(logins.first().getByRole('button')).toHaveCount(0)
  await logins.last().getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await expect(logins).toHaveCount(1)
  await other.getByRole('link', { name: 'Authentication records' }).click()
  await expect(other).toHaveURL(/\/auth_web\/login\?service=/)
  await theirs.close()
})

test('an address that a filter can not take is refused by the name of the filter', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/current-login-manage?ip=10.0.0.1;')
  await expect(page.getByRole('alert')).toContainText("“Client IP” can't be used: Invalid format")
})

test('the back office is closed to others', async ({ page, logIn }) => {
  await logIn(page, 'lisi')
  await page.goto('/auth_web/manage')
  await expect(page).toHaveURL(/\/auth_web\/401$/)
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('user')) ?? ''
    const user = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...user, isSuperUser: '1' }))
  })
  await page.goto('/auth_web/manage/current-login-manage')
  await expect(page).toHaveURL(/\/auth_web\/401$/)
})
