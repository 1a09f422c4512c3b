import { expect, type Locator, type Page } from '@playwright/test'
import { choose } from './fields.ts'

/** People of a file, with `prefix` before each account's number. */
const csv = (prefix: string, count: number) =>
  `no,account,name\n${Array.from({ length: count }, (_, at) => `${prefix}-${at},${prefix}${at},Person ${at}`).join('\n')}\n`

type Names = { source: string; sync: string; prefix: string; count?: number }
type LogIn = (page: Page, account: string, path?: string) => Promise<void>

/** Creates a source of an uploaded file with `rows` rows, identified by the column `key`. */
export async function createFileSource(
  page: Page,
  logIn: LogIn,
  { source, text, rows, key }: { source: string; text: string; rows: number; key: string },
): Promise<void> {
  await logIn(page, 'root', '/auth_web/manage/external-data-source')
  await page.getByRole('button', { name: 'New data source' }).click()
  const form = page.getByRole('dialog', { name: 'New data source' })
  await form.getByLabel('Name', { exact: true }).fill(source)
  await choose(form.getByLabel('Type', { exact: true }), 'Uploaded file')
  await form.getByRole('button', { name: 'Save and test' }).click()
  const tester = page.getByRole('dialog', { name: `Test ${source}` })
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await tester.locator('input[type=file]').setInputFiles(file)
  await expect(tester.getByText(`${rows} rows, the first ones below`)).toBeVisible()
  await choose(tester.getByLabel('Key column', { exact: true }), key)
  await expect(tester.getByText(`Every row has a unique value for ${key}.`)).toBeVisible()
  await tester.getByRole('button', { name: 'Close' }).last().click()
}

/** The form of a new sync for a source. */
export async function openSyncForm(page: Page, { source, sync }: Pick<Names, 'source' | 'sync'>): Promise<Locator> {
  await page.goto('/auth_web/manage/org-sync')
  await page.getByRole('button', { name: 'New sync' }).click()
  const dialog = page.getByRole('dialog', { name: 'New sync' })
  await dialog.getByLabel('Name', { exact: true }).fill(sync)
  await choose(dialog.getByLabel('Data source', { exact: true }), source)
  return dialog
}

/** Creates a source of an uploaded file and its sync, and stays on the list of syncs. */
export async function createFileSync(
  page: Page,
  logIn: LogIn,
  { source, sync, prefix, count = 30 }: Names,
): Promise<void> {
  await createFileSource(page, logIn, { source, text: csv(prefix, count), rows: count, key: 'no' })
  const dialog = await openSyncForm(page, { source, sync })
  await choose(dialog.getByLabel('Key column', { exact: true }), 'no')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${sync} saved`)).toBeVisible()
}

/** Plans, reviews and applies the first run; ends on the page of the sync's runs. */
export async function applyFirstRun(page: Page, sync: string): Promise<void> {
  await page.getByRole('link', { name: `Runs of ${sync}` }).click()
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText('This is the first run of this data source')).toBeVisible()
  await expect(page.getByText('Nothing has been written yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply this plan' }).click()
  const approval = page.getByRole('dialog', { name: 'Apply this plan?' })
  await approval.getByLabel('Reason').fill('New term')
  await approval.getByRole('button', { name: 'Apply this plan' }).click()
  await expect(page.locator('.sync-run').getByText('Done', { exact: true })).toBeVisible()
}
