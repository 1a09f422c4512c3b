import { applyFirstRun, createFileSync } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'
import { signedCall } from './signed-call.ts'

type People = { records: { id: string; version: number }[] }

test('a run is undone with a reason, and shows the result of each row', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Wrong file', sync: 'Mistaken', prefix: 'undo', count: 3 })
  await applyFirstRun(page, 'Mistaken')
  // Somebody changes one of them since.
  const { records } = await signedCall<People>(page, '/user_information/query/', { query: { search: 'undo1' } })
  const [person] = records
  const body = { version: person?.version, nickname: 'Una' }
  await signedCall(page, `/user_information/${person?.id}/update/`, { body })
  const run = page.locator('.sync-run')
  await run.getByRole('button', { name: 'Undo this run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this run?' })
  await dialog.getByLabel('Reason').fill('It was the wrong file')
  await dialog.getByRole('button', { name: 'Undo this run' }).click()
  await expect(run.getByText('Undone', { exact: true })).toBeVisible()
  await expect(run.getByText(/^undone by .*: It was the wrong file$/)).toBeVisible()
  await expect(run.getByText(/^approved by .*: New term$/)).toBeVisible()
  await expect(run.getByRole('cell', { name: 'Removed again', exact: true })).toHaveCount(2)
  // Those that were not restored are found among all the others.
  await choose(run.getByLabel('Outcome', { exact: true }), 'Not restored: changed in the meantime')
  await expect(run.getByRole('rowheader')).toHaveText(['undo-1'])
  await expect(run.getByRole('button', { name: 'Undo this run' })).toHaveCount(0)
})

test('a run whose rows are no longer stored says so instead of offering an undo', async ({ page, logIn, school }) => {
  const name = 'Long ago'
  await createFileSync(page, logIn, { source: 'Old file', sync: name, prefix: 'longago', count: 2 })
  await applyFirstRun(page, name)
  const run = page.locator('.sync-run')
  await expect(run.getByRole('button', { name: 'Undo this run' })).toBeVisible()
  await school.sql`
    update directory_sync_runs set started_at = started_at - interval '31 days'
    where sync_id = (select id from directory_syncs where name = ${name})`
  await page.reload()
  await expect(run.getByText("The rows of this run are no longer stored, so it can't be undone.")).toBeVisible()
  await expect(run.getByRole('button', { name: 'Undo this run' })).toHaveCount(0)
})

test("a person's page leads to the run since which a source maintains their fields", async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Owning file', sync: 'Owning', prefix: 'owned', count: 2 })
  await applyFirstRun(page, 'Owning')
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await expect(page.locator('.sync-run').getByText('Planned', { exact: true })).toBeVisible()
  const { records } = await signedCall<People>(page, '/user_information/query/', { query: { search: 'owned1' } })
  await page.goto(`/auth_web/manage/organization?open=${records[0]?.id}`)
  const owners = page.locator('.field-owners')
  await expect(owners).toContainText('Owning file (Owning): Name')
  await owners.getByRole('link', { name: 'Show run' }).click()
  // Not the newest one, which would change nothing.
  await expect(page.locator('.sync-run').getByText(/^approved by .*: New term$/)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Runs' }).locator('[aria-current]')).toContainText('Done')
})
