import type { Page } from '@playwright/test'
import { applyFirstRun, createFileSync } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'
import { signedCall } from './signed-call.ts'

/** Applies a held plan: one person is a large share of few. */
async function decideHeld(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Apply this plan' }).click()
  const approval = page.getByRole('dialog', { name: 'Apply this plan?' })
  await approval.getByLabel('Reason').fill(reason)
  await approval.getByRole('button', { name: 'Apply this plan' }).click()
  await expect(approval).toHaveCount(0)
}

test('a changed account is shown beside the person for a decision, and the person keeps everything', async ({
  page,
  logIn,
}) => {
  await createFileSync(page, logIn, { source: 'Registry', sync: 'Registry people', prefix: 'pick', count: 3 })
  await page.getByRole('button', { name: 'Edit Registry people' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Registry people' })
  await choose(form.getByLabel('Action', { exact: true }), 'Set an end of the validity period')
  await form.getByLabel('Days until their validity period ends').fill('14')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await applyFirstRun(page, 'Registry people')

  await page.goto('/auth_web/manage/external-data-source')
  await page.getByRole('button', { name: 'Test Registry' }).click()
  const tester = page.getByRole('dialog', { name: 'Test Registry' })
  const text = 'no,account,name\npick-0,pick0,Person 0\npick-1,picked,Person 1\npick-2,pick2,Person 2\n'
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await tester.locator('input[type=file]').setInputFiles(file)
  await expect(tester.getByText('3 rows, the first ones below')).toBeVisible()
  await page.goto('/auth_web/manage/org-sync')
  await page.getByRole('link', { name: 'Runs of Registry people' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  const match = page.getByRole('listitem', { name: 'pick-1' })
  // What the plan leaves open is shown together with it.
  await expect(page.getByText('Nothing has been written yet.')).toBeVisible()
  await expect(match).toBeVisible()
  await decideHeld(page, 'One number changed')

  await expect(match.getByText('The data source has a different account for this person.')).toBeVisible()
  await expect(match.getByRole('row', { name: 'Account picked pick1' })).toBeVisible()
  await match.getByRole('button', { name: 'Same person, use the new account' }).click()
  await expect(page.getByText('Decision saved')).toBeVisible()
  await expect(match).toHaveCount(0)
  // The pressed button is gone with its row.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(page.locator('.sync-run').getByText('Done', { exact: true })).toBeVisible()
  await expect(page.getByText('Person 1 (picked)')).toBeVisible()
})

test('a deleted person who was created again under the same account is linked from the page of the run', async ({
  page,
  logIn,
}) => {
  await createFileSync(page, logIn, { source: 'Again', sync: 'Again people', prefix: 'again', count: 2 })
  await applyFirstRun(page, 'Again people')
  const query = { search: 'again0' }
  const { records } = await signedCall<{ records: { id: string }[] }>(page, '/user_information/query/', { query })
  await signedCall(page, `/user_information/${records[0]?.id}/delete/`, { body: { reason: 'Left' } })
  await signedCall(page, '/user_information/create/', { body: { account: 'again0', name: 'Back again' } })

  await page.getByRole('button', { name: 'Run now' }).click()
  await decideHeld(page, 'One person was here before')
  const match = page.getByRole('listitem', { name: 'again-0' })
  await expect(match.getByText('Deleted here and added again: a new person has the account.')).toBeVisible()
  await expect(match.getByRole('row', { name: 'Name Person 0 Back again' })).toBeVisible()
  await match.getByRole('button', { name: 'It is this person' }).click()
  await expect(match).toHaveCount(0)
  await page.getByRole('button', { name: 'Run now' }).click()
  await decideHeld(page, 'They are the same')
  await expect(page.locator('.sync-run').getByText('Done', { exact: true })).toBeVisible()
  await expect(page.getByText('Person 0 (again0)')).toBeVisible()
})
