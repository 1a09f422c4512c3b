import { applyFirstRun, createFileSync } from './directory-syncs.ts'
import { expect, test } from './fixtures.ts'

test('a run is undone with a reason, and shows the result of each row', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Wrong file', sync: 'Mistaken', prefix: 'undo', count: 3 })
  await applyFirstRun(page, 'Mistaken')
  const run = page.locator('.sync-run')
  await run.getByRole('button', { name: 'Undo this run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this run?' })
  await dialog.getByLabel('Reason').fill('It was the wrong file')
  await dialog.getByRole('button', { name: 'Undo this run' }).click()
  await expect(run.getByText('Undone', { exact: true })).toBeVisible()
  await expect(run.getByText('It was the wrong file')).toBeVisible()
  await expect(run.getByRole('cell', { name: 'Restored' })).toHaveCount(3)
  await expect(run.getByRole('button', { name: 'Undo this run' })).toHaveCount(0)
})
