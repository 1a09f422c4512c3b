import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const people = (count: number) =>
  `no,account,name\n${Array.from({ length: count }, (_, at) => `S${at},sync${at},Person ${at}`).join('\n')}\n`

test('people of an uploaded file are looked at, held, approved and then here', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/external-data-source')
  await page.getByRole('button', { name: 'New data source' }).click()
  const form = page.getByRole('dialog', { name: 'New data source' })
  await form.getByLabel('Name', { exact: true }).fill('Student file')
  await choose(form.getByLabel('Type', { exact: true }), 'Uploaded file')
  await form.getByRole('button', { name: 'Save and test' }).click()
  const tester = page.getByRole('dialog', { name: 'Test Student file' })
  const file = (count: number) => ({ name: 'students.csv', mimeType: 'text/csv', buffer: Buffer.from(people(count)) })
  await tester.locator('input[type=file]').setInputFiles(file(30))
  await expect(tester.getByText('30 rows, the first ones below')).toBeVisible()
  await choose(tester.getByLabel('Key column', { exact: true }), 'no')
  await expect(tester.getByText('Every row has its own value of no.')).toBeVisible()
  await tester.getByRole('button', { name: 'Close' }).last().click()

  await page.goto('/auth_web/manage/org-sync')
  await page.getByRole('button', { name: 'New sync' }).click()
  const sync = page.getByRole('dialog', { name: 'New sync' })
  await sync.getByLabel('Name', { exact: true }).fill('Students')
  await choose(sync.getByLabel('Data source', { exact: true }), 'Student file')
  await choose(sync.getByLabel('Key column', { exact: true }), 'no')
  await sync.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Students saved')).toBeVisible()

  await page.getByRole('link', { name: 'Runs of Students' }).click()
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText('This is the first run of this data source')).toBeVisible()
  await expect(page.getByText('Nothing has been written yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply this plan' }).click()
  const approval = page.getByRole('dialog', { name: 'Apply this plan?' })
  await approval.getByLabel('Reason').fill('New term')
  await approval.getByRole('button', { name: 'Apply this plan' }).click()
  await expect(page.locator('.sync-run').getByText('Done', { exact: true })).toBeVisible()
  await expect(page.getByText('Person 0 (sync0)')).toBeVisible()
})
