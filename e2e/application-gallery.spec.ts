import { expect, test } from './fixtures.ts'

const LIST = '/auth_web/manage/application-manage'

test('a gallery product: its address is checked, its settings are shown, a test login runs and is granted', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', LIST)
  await page.getByRole('link', { name: 'New application' }).click()
  await page.getByLabel('Find a product').fill('grafa')
  await expect(page.locator('.gallery-tile')).toHaveCount(2)
  await page.getByRole('link', { name: /^Grafana/ }).click()
  const base = page.getByLabel('Address of Grafana')
  await base.fill('https://grafana.school.test/?orgId=1')
  await expect(base).toHaveAccessibleDescription(/without \? or #/)
  await page.getByRole('button', { name: 'Create application' }).click()
  await expect(base).toBeFocused()
  await base.fill('http://grafana.school.test')
  await expect(base).toHaveAccessibleDescription(/Use https/)
  await base.fill('https://grafana.school.test/charts/')
  await page.getByText('What will be registered').click()
  await expect(page.getByLabel(/Redirect.*no. 1/)).toHaveValue('https://grafana.school.test/charts/login/generic_oauth')
  await page.getByRole('button', { name: 'Create application' }).click()
  await expect(page.getByRole('heading', { name: 'Grafana is ready' })).toBeFocused()
  const secret = await page.locator('.secret-once code').last().innerText()
  await expect(page.locator('.instructions pre')).toContainText(`client_secret = ${secret}`)
  await expect(page.locator('.instructions pre')).toContainText('root_url = https://grafana.school.test/charts/')
  await page.getByRole('button', { name: /Copy: .*secret/ }).click()

  await page.getByRole('combobox', { name: 'Person' }).fill('lisi')
  await page.getByRole('option', { name: /lisi/ }).click()
  await expect(page.getByText(/lisi.* is refused/)).toBeVisible()
  await page.getByRole('button', { name: /^Grant it to/ }).click()
  await expect(page.getByText(/lisi.* can log in/)).toBeVisible()

  await page.getByRole('link', { name: 'Application settings' }).click()
  await page.getByRole('tab', { name: 'Integration' }).click()
  await expect(page.getByRole('heading', { name: 'What to set in Grafana' })).toBeVisible()
  await expect(page.locator('.instructions pre')).toContainText('client_secret = CLIENT_SECRET')
  await expect(page.locator('.instructions pre')).not.toContainText(secret)
})

test('a code that another application has is pointed out at its field, however early the button is pressed', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', `${LIST}/new`)
  await page.getByRole('link', { name: /^Koha/ }).click()
  // The check of the code while it is typed takes longer than the refusal.
  await page.route('**/application_manage/check/**', async (route) => {
    await page.waitForTimeout(1500)
    await route.continue().catch(() => {})
  })
  await page.getByLabel('Address of Koha').fill('https://koha.school.test')
  const code = page.getByLabel('Code', { exact: true })
  await code.fill('library')
  await page.getByRole('button', { name: 'Create application' }).click()
  const told = page.getByText('Another application already uses this code.')
  await expect(told).toBeFocused()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await expect(told).toHaveCount(1)
})
