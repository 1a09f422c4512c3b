import type { Route } from '@playwright/test'
import { createFileSync } from './directory-syncs.ts'
import { expect, test } from './fixtures.ts'

const broken = (route: Route) => route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } })

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

  const pause = page.getByRole('button', { name: 'Pause all' })
  await page.route('**/directory_sync_switch/update/**', broken)
  await pause.click()
  await expect(page.getByRole('alert')).toHaveText('Broken')
  await page.unroute('**/directory_sync_switch/update/**')
  await pause.click()
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

test('an address of a sync that is no more leads to the list', async ({ page, logIn }) => {
  const gone = '01900000-0000-7000-8000-000000000000'
  await logIn(page, 'root', `/auth_web/manage/org-sync-detail?sync=${gone}`)
  for (const [address, list] of [
    [`org-sync-detail?sync=${gone}`, 'org-sync'],
    [`exterPhone-sync/${gone}`, 'exterPhone-sync'],
  ]) {
    await page.goto(`/auth_web/manage/${address}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await expect(page).toHaveURL(new RegExp(`/manage/${list}$`))
  }
})

test('the cursor of a run is shown as soon as the run has ended, and a reset that fails says so', async ({
  page,
  logIn,
}) => {
  await createFileSync(page, logIn, { source: 'Changes file', sync: 'Changes', prefix: 'change', count: 3 })
  await page.getByRole('link', { name: 'Runs of Changes' }).click()
  const verb = page.getByRole('button', { name: 'Run changes' })
  await expect(page.getByRole('button', { name: 'Dry run' })).toBeVisible()
  await expect(verb).toHaveCount(0)
  // A file has no cursor of its own: here a run that has ended leaves one.
  let cursor: string | null = null
  await page.route('**/directory_sync_run/query/**', async (route) => {
    const read = async () => {
      const response = await route.fetch()
      return { response, state: (await response.json()).data.records[0]?.state }
    }
    let { response, state } = await read()
    // The page sees a run that has ended as the first of all.
    while (state !== undefined && state !== 'held') ({ response, state } = await read())
    if (state === 'held') cursor = '2026-05-01 08:00:00'
    await route.fulfill({ response })
  })
  await page.route('**/directory_sync/*/details/**', async (route) => {
    const response = await route.fetch()
    const { data, ...more } = await response.json()
    await route.fulfill({ response, json: { ...more, data: { ...data, cursorColumn: 'changed', cursor } } })
  })
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText('Nothing has been written yet.')).toBeVisible()
  await expect(page.getByText('Read up to changed = 2026-05-01 08:00:00')).toBeVisible()
  await expect(verb).toBeVisible()

  const reset = page.getByRole('button', { name: 'Reset', exact: true })
  await page.route('**/reset_cursor/**', broken)
  await reset.click()
  await expect(page.getByRole('alert')).toHaveText('Broken')
  await page.unroute('**/reset_cursor/**')
  await page.unroute('**/directory_sync_run/query/**')
  cursor = null
  await reset.click()
  await expect(page.getByText('Reset. The next run reads everything.')).toBeVisible()
  await expect(reset).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
