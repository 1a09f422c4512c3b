import { choose } from './fields.ts'
import { expect, fillIn, PASSWORD, test } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { openTestMailbox } from './test-mailbox.ts'

let gatehouse: Gatehouse
test.beforeAll(async () => {
  const root = { account: 'principal', name: 'Head of School', password: PASSWORD, isSuperUser: true }
  const sms = { provider: 'gateway', url: 'https://sms.school.test/', appId: 'portal', secret: 'a-secret-of-length' }
  const settings = { login: { secondFactorSuperUsers: false }, gateway: { helpUrl: '/help' }, sms }
  gatehouse = await startGatehouse({ bootstrap: { users: [root], settings } })
})
test.afterAll(() => gatehouse.stop())

test('the settings of the set-up are changed later: institution, mail with a test; what the file sets stays', async ({
  page,
}) => {
  const testMailbox = await openTestMailbox()
  await page.goto(`${gatehouse.url}/auth_web/manage/system-settings`)
  await fillIn(page, 'principal')
  await page.getByLabel('Institution name in English').fill('Riverside College')
  await expect(page.getByLabel('Help', { exact: false }).last()).not.toBeEditable()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page).toHaveTitle(/Riverside College/)

  await page.getByRole('tab', { name: 'Mail' }).click()
  await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Sender address')).toBeFocused()
  await choose(page.getByRole('combobox', { name: 'Encryption' }), /^None/)
  await page.getByLabel('Port').fill(String(testMailbox.mailPort))
  await page.getByLabel('Mail account user name').fill('portal')
  await page.getByLabel('Mail account password').fill('Mail-secret-1')
  await page.getByLabel('Sender address').fill('portal@school.test')
  await page.getByRole('tab', { name: 'Addresses' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /stay/i }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Stop sending email' })).toBeVisible()

  // The stored password is masked, used for a test, and never sent elsewhere.
  await page.reload()
  await expect(page.getByLabel('Mail account password')).toHaveValue('******')
  await page.getByLabel('Send a test email to').fill('me@school.test')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(page.getByText('The mail server has accepted the test email.')).toBeVisible()
  await page.getByLabel('Server', { exact: true }).fill('elsewhere.school.test')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /again|anew/i })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('tab', { name: 'Addresses' }).click()
  const asked = page.waitForRequest(/address/)
  await page.getByRole('button', { name: 'Test again' }).click()
  await asked
  await expect(page.getByText('Test passed')).toBeVisible()

  await page.getByRole('tab', { name: 'Text messages' }).click()
  await expect(page.getByText('Set by the bootstrap file')).toBeVisible()
  await expect(page.getByLabel('Application ID')).not.toBeEditable()

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Settings changed' }).first().click()
  await expect(
    page
      .getByRole('tabpanel')
      .getByText(/Riverside College/)
      .first(),
  ).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'History of' }), 'Mail server')
  await page
    .getByRole('button', { name: /changed$/ })
    .first()
    .click()
  await expect(
    page
      .getByRole('tabpanel')
      .getByText(/127\.0\.0\.1/)
      .first(),
  ).toBeVisible()
  await expect(page.getByText('Mail-secret-1')).toHaveCount(0)
  await testMailbox.close()
})

test('the getting-started list is shown again', async ({ page }) => {
  await page.goto(`${gatehouse.url}/auth_web/manage/home`)
  await fillIn(page, 'principal')
  const list = page.getByRole('region', { name: 'Get started' })
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await expect(list).toHaveCount(0)
  await page.goto(`${gatehouse.url}/auth_web/manage/system-settings?tab=start`)
  const shown = page.getByRole('switch', { name: /^Show/ })
  await shown.click()
  await expect(shown).toBeChecked()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await list.getByRole('link', { name: 'Mail' }).click()
  await expect(page.getByRole('tab', { name: 'Mail' })).toHaveAttribute('aria-selected', 'true')
})
