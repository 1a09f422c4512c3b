import { applyFirstRun, createFileSync } from './directory-syncs.ts'
import { expect, test } from './fixtures.ts'

test('people of an uploaded file are planned, held, approved and created', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Student file', sync: 'Students', prefix: 'sync' })
  await applyFirstRun(page, 'Students')
  await expect(page.getByText('Person 0 (sync0)')).toBeVisible()
})

test('a plan names the people to be created, and the sync is edited at an address of its own', async ({
  page,
  logIn,
}) => {
  await createFileSync(page, logIn, { source: 'Guest file', sync: 'Guests', prefix: 'guest', count: 3 })
  await page.getByRole('link', { name: 'Runs of Guests' }).click()
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByRole('row', { name: /guest-1 Person 1 New/ })).toBeVisible()
  await page.getByRole('link', { name: 'Edit Guests' }).click()
  await expect(page).toHaveURL(/\/manage\/agency-sync-edit\?sync=/)
  const form = page.getByRole('dialog', { name: 'Edit Guests' })
  await form.getByLabel('Note').fill('Until the summer')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Guests saved')).toBeVisible()
  await expect(page).toHaveURL(/\/manage\/org-sync$/)
})
