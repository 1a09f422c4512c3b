import { createFileSync } from './directory-syncs.ts'
import { expect, test } from './fixtures.ts'

test('a sync runs on schedule, and while all are paused only dry runs continue', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Nightly file', sync: 'Nightly', prefix: 'clock', count: 3 })
  await page.getByRole('button', { name: 'Edit Nightly' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Nightly' })
  await form.getByLabel('On a schedule').click()
  await form.getByLabel('Time zone').fill('Asia/Shanghai')
  await form.getByLabel('Cron expression').fill('61 2 * * *')
  await expect(form.getByLabel('Cron expression')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Cron expression').fill('15 3 * * *')
  await expect(form.locator('.sync-next li')).toHaveCount(5)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)

  await page.getByRole('button', { name: 'Pause all' }).click()
  await expect(page.getByText('All syncs are paused')).toBeVisible()
  await page.getByRole('link', { name: 'Runs of Nightly' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByRole('alert')).toContainText('paused')
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText('Nothing has been written yet.')).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'Resume all' }).click()
  await expect(page.getByRole('button', { name: 'Pause all' })).toBeVisible()

  // The syncs of the other kind are another list.
  const listed = page.waitForResponse('**/book_sync/query/**')
  await page.getByRole('navigation').getByRole('link', { name: 'External address books' }).click()
  await listed
  await expect(page.locator('.skeleton, .list-busy')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New address book' })).toBeVisible()
  await expect(page.getByText('Nightly', { exact: true })).toHaveCount(0)
})

test('the addresses of one sync lead to the list if they name none', async ({ page, logIn }) => {
  for (const name of ['agency-sync-edit', 'org-sync-detail']) {
    await logIn(page, 'root', `/auth_web/manage/${name}`)
    await expect(page).toHaveURL(/\/manage\/org-sync$/)
    await expect(page.getByRole('button', { name: 'New sync' })).toBeVisible()
  }
})
