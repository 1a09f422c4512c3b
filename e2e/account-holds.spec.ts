import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const dialog = (page: Page) => page.getByRole('dialog').last()
const choose = async (page: Page, label: string, option: string) => {
  await dialog(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('accounts are pasted, the effect on each line is shown, and the freezes are extended and lifted', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/freeze-account')
  await page.getByRole('button', { name: 'Freeze by account' }).first().click()
  await dialog(page).getByLabel('Accounts').fill('onleave\n\n404\nonleave\nroot')
  await choose(page, 'Cause', 'Graduated')
  await dialog(page).getByRole('button', { name: 'Check' }).click()
  await expect(dialog(page).getByText('Line 3, 404:')).toBeVisible()
  await expect(dialog(page).getByText('Already in the list above')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(dialog(page).getByLabel('Accounts')).toHaveValue('onleave\n\n404\nonleave\nroot')
  await dialog(page).getByRole('button', { name: 'Check' }).click()
  await dialog(page).getByRole('button', { name: 'Freeze 1 person' }).click()
  const row = page.getByRole('row').filter({ hasText: 'onleave' })
  await expect(row).toContainText('Graduated')
  await expect(row).toContainText('Until lifted')
  await row.getByRole('button', { name: /^Change when the freeze/ }).click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: /^Lift the freeze/ }).click()
  await dialog(page).getByRole('button', { name: 'Lift freeze' }).click()
  await expect(row).toHaveCount(0)
})

test('a locked person is in the list of the security centre and is unlocked there', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=lockedout')
  await page.getByRole('checkbox', { name: /lockedout/ }).check()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lock', exact: true }).click()
  await dialog(page).getByLabel('Reason').fill('Lost card')
  await dialog(page).getByRole('button', { name: 'Lock', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Locked accounts' }).click()
  const row = page.getByRole('row').filter({ hasText: 'lockedout' })
  await expect(row.locator('.person-cell', { hasText: 'Administrator' })).toHaveText(/Administrator.+/)
  await expect(row).toContainText('Lost card')
  // An unlocked person leaves the list; stepping to the others still works.
  await row.locator('[data-opens]').click()
  const drawer = page.locator('dialog.drawer')
  await drawer.getByRole('region', { name: "Why they can't log in" }).getByRole('button', { name: 'Unlock' }).click()
  await dialog(page).getByRole('button', { name: 'Unlock' }).click()
  await expect(row).toHaveCount(0)
  await expect(drawer.getByRole('button', { name: 'Next', exact: true })).toBeVisible()
})
