import type { Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { expect, type School, test } from './fixtures.ts'

// Custom fields would affect the people of other journeys.
test.use({ login: { trustedBrowserDays: 24 } })

const dialog = (page: Page) => page.getByRole('dialog')
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true }).click()

/** Opens the page of a school that has these fields. */
async function openFields(
  page: Page,
  logIn: (page: Page, account: string, path: string) => Promise<void>,
  { url }: School,
  custom: object[],
): Promise<void> {
  const call = await callerAs(url, 'root')
  const { version } = await call('/account_field_rules/details/')
  await call('/account_field_rules/update/', { version, changes: { custom } })
  await logIn(page, 'root', '/auth_web/manage/account-field-rules?tab=custom')
}

test('a custom field that is incomplete says so at its fields', async ({ page, logIn, school }) => {
  await openFields(page, logIn, school, [])
  await page.getByRole('button', { name: 'New field' }).click()
  await save(page)
  const name = dialog(page).getByLabel('Name', { exact: true })
  await expect(name).toBeFocused()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page).getByLabel('Key')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page)).not.toContainText('changes.custom')
})

test('a new custom field does not replace the one that has its key', async ({ page, logIn, school }) => {
  await openFields(page, logIn, school, [{ key: 'first', kind: 'text', name: 'First one' }])
  await page.getByRole('button', { name: 'New field' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Another one')
  await dialog(page).getByLabel('Key').fill('first')
  await save(page)
  await expect(dialog(page).getByText('Another custom field already uses this key.')).toBeVisible()
  await expect(dialog(page).getByLabel('Key')).toBeFocused()
})

test('restoring a custom field keeps the focus in its row', async ({ page, logIn, school }) => {
  await openFields(page, logIn, school, [{ key: 'gone', kind: 'text', name: 'Gone field', isRemoved: true }])
  await page.getByRole('button', { name: 'Restore Gone field' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Change Gone field' })).toBeFocused()
})
