import { applyFirstRun, createFileSync } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'
import { signedCall } from './signed-call.ts'

test('people of an uploaded file are planned, held, approved and created', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Student file', sync: 'Students', prefix: 'sync', count: 101 })
  await applyFirstRun(page, 'Students')
  await expect(page.getByText('Person 0 (sync0)')).toBeVisible()
  // It began as a dry run, but is none any more.
  await expect(page.getByRole('navigation', { name: 'Runs' }).getByText('dry run')).toHaveCount(0)
  await page.getByRole('button', { name: 'Next rows' }).click()
  await expect(page.getByText('Person 100 (sync100)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next rows' })).toHaveCount(0)
  // The pressed button may be gone, and was below the last row: reading begins at the first.
  await expect(page.getByRole('region', { name: 'Rows', exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Previous rows' }).click()
  await expect(page.getByText('Person 0 (sync0)')).toBeVisible()
})

test('a plan names the people to be created, and the sync is edited at an address of its own', async ({
  page,
  logIn,
}) => {
  await createFileSync(page, logIn, { source: 'Guest file', sync: 'Guests', prefix: 'guest', count: 3 })
  await page.getByRole('link', { name: 'Runs of Guests' }).click()
  // The first read of the list after the start fails, and nothing else asks for it.
  let hasStarted = false
  let isFailed = false
  await page.route('**/directory_sync_run/query/**', async (route) => {
    if (isFailed || !hasStarted) return route.fallback()
    isFailed = true
    await route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } })
  })
  await page.route('**/directory_sync/*/start/**', async (route) => {
    const response = await route.fetch()
    hasStarted = true
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByRole('row', { name: /guest-1 Person 1 New/ })).toBeVisible()
  expect(isFailed).toBe(true)
  // A plan that the next run replaces only waited: nobody is told how long.
  const run = page.locator('.sync-run')
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  const replaced = page.getByRole('navigation', { name: 'Runs' }).getByRole('button', { name: /Discarded/ })
  await replaced.click()
  await expect(run.getByText('A newer run has replaced this plan.')).toBeVisible()
  await expect(run.getByText(/ – /)).toBeVisible()
  await expect(run.getByText(/^took /)).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit Guests' }).click()
  await expect(page).toHaveURL(/\/manage\/agency-sync-edit\?sync=/)
  const form = page.getByRole('dialog', { name: 'Edit Guests' })
  await form.getByLabel('Note').fill('Until the summer')
  // What was typed outlives a failure to read the sync again.
  const details = '**/directory_sync/*/details/**'
  await page.route(details, (route) => route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } }))
  const failed = page.waitForResponse(details)
  // When the network returns, what is older than a few seconds is read again.
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + 30_000)
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await failed
  await page.unroute(details)
  await expect(form.getByLabel('Note')).toHaveValue('Until the summer')
  // A number out of its bounds, or none, is named at its field.
  const rank = form.getByLabel('Rank among syncs')
  await rank.fill('0')
  await choose(form.getByLabel('Action', { exact: true }), 'Freeze')
  const runs = form.getByLabel('After this many runs')
  await runs.fill('')
  await expect(runs).toHaveValue('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(rank).toHaveAccessibleDescription(/At least 1\.$/)
  await expect(runs).toHaveAccessibleDescription('Please fill this in.')
  await rank.fill('50')
  await runs.fill('2')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Guests saved')).toBeVisible()
  await expect(page).toHaveURL(/\/manage\/org-sync$/)
})

test('the reason for a plan that somebody else discarded is nothing to save: after the refusal the dialog closes', async ({
  page,
  logIn,
}) => {
  await createFileSync(page, logIn, { source: 'Late file', sync: 'Late', prefix: 'late', count: 3 })
  await page.getByRole('link', { name: 'Runs of Late' }).click()
  const started = page.waitForResponse('**/directory_sync/*/start/**')
  await page.getByRole('button', { name: 'Dry run' }).click()
  const { data } = (await (await started).json()) as { data: { id: string } }
  await page.getByRole('button', { name: 'Apply this plan' }).click()
  const approval = page.getByRole('dialog', { name: 'Apply this plan?' })
  await approval.getByLabel('Reason').fill('New term')
  await signedCall(page, `/directory_sync_run/${data.id}/discard/`, { body: {} })
  await approval.getByRole('button', { name: 'Apply this plan' }).click()
  await expect(approval.getByRole('alert')).toBeVisible()
  await approval.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
