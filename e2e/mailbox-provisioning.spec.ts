import type { Page } from '@playwright/test'
import { MAIL_PROVIDERS, startSimulator } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { choose } from './fields.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

/** Two people of a department, and a mail provider beside them. */
async function openSchool() {
  const organizations = [{ code: 'physics', name: 'Physics' }]
  const users = [
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
    { account: 'ada', name: 'Ada', password: PASSWORD, organization: 'physics' },
    { account: 'bob', name: 'Bob', password: PASSWORD, organization: 'physics' },
  ]
  const gatehouse = await startGatehouse({
    bootstrap: { organizations, users, settings: { login: { secondFactorSuperUsers: false } } },
  })
  const vendor = await startSimulator(MAIL_PROVIDERS.exmail, { trustedOrigin: gatehouse.url })
  const stop = async () => {
    await gatehouse.stop()
    await vendor.close()
  }
  return { url: gatehouse.url, vendor, stop }
}

const test = testWithServer('mailbox-provisioning', openSchool)
const RULES = [{ categories: [], from: 'number', domain: 'example.edu' }]

async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

/** On a phone the table of a run scrolls; no column is squeezed to a letter's width. */
async function expectWideColumns(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1366, height: 768 }
  await page.setViewportSize({ width: 390, height: 844 })
  const widths = await page
    .getByRole('region', { name: 'Rows' })
    .getByRole('columnheader')
    .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().width))
  expect(Math.min(...widths)).toBeGreaterThan(80)
  await expectSound(page)
  await page.setViewportSize(size)
}

async function decide(page: Page, verb: 'Apply this plan' | 'Undo this run', said: RegExp): Promise<void> {
  await page.getByRole('button', { name: verb }).click()
  const dialog = page.getByRole('dialog', { name: `${verb}?` })
  await expect(dialog.getByText(said)).toBeVisible()
  await dialog.getByLabel('Reason').fill('New term')
  await dialog.getByRole('button', { name: verb }).click()
  await expect(dialog).toHaveCount(0)
}

test('mailboxes are planned in preview, created, disabled when people leave, and an undone run takes it back', async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  const { vendor, url } = server
  const call = await callerAs(url, 'root')
  const store = (version: number, settings: object) =>
    call('/corporate_mailbox/update/', { version, enabled: true, settings, rules: RULES })
  await store(0, MAIL_PROVIDERS.netease.settings(vendor.url))
  await page.goto('/auth_web/manage/email?tab=provisioning')
  await fillIn(page, 'root')
  // A provider without documented calls says so.
  await expect(
    page.getByText('NetEase publishes no description of calls that create or disable mailboxes'),
  ).toBeVisible()
  await store(1, MAIL_PROVIDERS.exmail.settings(vendor.url))
  await page.reload()
  await expect(page.getByText('Provisioning is off')).toBeVisible()

  await page.getByRole('button', { name: 'Set up provisioning' }).click()
  const form = page.getByRole('dialog', { name: 'Set up provisioning' })
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Corporate mailbox')
  await expect(form.getByLabel('CorpId')).not.toHaveValue('')
  await form.getByLabel('Secret of the address book').fill(MAIL_PROVIDERS.exmail.contacts?.(vendor.url).secret ?? '')
  await form.getByLabel('Department here 1').fill('Phys')
  await page.getByRole('option', { name: 'Physics physics' }).click()
  await choose(form.getByLabel('Mailboxes of leavers'), 'Mailboxes of leavers are disabled')
  await expectSound(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByText('Preview: runs only show what they would do')).toBeVisible()
  await expect(page.locator('.vendor-fields .fact-list').getByText('Mail provider', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Runs of Corporate mailbox' }).click()
  await expect(page.getByRole('button', { name: 'Run now' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText('This is the first run for these mailboxes: 2 people.')).toBeVisible()
  const rows = page.getByRole('region', { name: 'Rows' })
  await expect(rows.getByRole('row', { name: /ada@example\.edu/ })).toContainText('New')
  await expectWideColumns(page)
  await expect(page.getByRole('button', { name: 'Apply this plan' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.locator('.sync-run').getByText('Discarded', { exact: true })).toBeVisible()
  expect(vendor.mailboxes.size).toBe(0)
  // A run that has just begun hides the one before, however late the list is.
  const held = Promise.withResolvers<void>()
  await page.route('**/book_sync_run/query/**', (route) => held.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await expect(page.locator('.sync-run').getByText('Discarded', { exact: true })).toHaveCount(0)
  held.resolve()
  await expect(
    page
      .locator('.sync-run')
      .getByText('Waiting', { exact: true })
      .or(page.getByRole('button', { name: 'Discard' })),
  ).toBeVisible()
  await page.unroute('**/book_sync_run/query/**')

  await page.getByRole('link', { name: 'Corporate mailbox' }).last().click()
  await page.getByRole('button', { name: 'Edit Corporate mailbox' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit Corporate mailbox' })
  await choose(edited.getByLabel('Mode'), 'On: mailboxes are created and disabled')
  await edited.getByRole('button', { name: 'Save' }).click()
  await expect(edited).toHaveCount(0)

  await page.getByRole('link', { name: 'Runs of Corporate mailbox' }).click()
  const run = page.locator('.sync-run')
  await page.getByRole('button', { name: 'Run now' }).click()
  await decide(page, 'Apply this plan', /Exactly what is listed will be written at the provider/)
  await expect(run.getByText('Done', { exact: true })).toBeVisible()
  expect(vendor.mailboxes.get('ada@example.edu')).toMatchObject({ name: 'Ada', isDisabled: false })

  await decide(page, 'Undo this run', /Mailboxes it created are disabled, because mail may have arrived/)
  await expect(run.getByText('Undone', { exact: true })).toBeVisible()
  expect(vendor.mailboxes.get('ada@example.edu')).toMatchObject({ isDisabled: true })

  // A run that writes or is undone says how far it is, and one that was cut off how far it got.
  let shown: object = { state: 'applying', progress: { done: 297, total: 1939 } }
  await page.route('**/book_sync_run/query/**', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    Object.assign(json.data.records[0], shown)
    await route.fulfill({ response, json })
  })
  await page.reload()
  await expect(page.getByText('297 of 1,939 · 15%')).toBeVisible()
  await expectSound(page)
  shown = { state: 'undoing', progress: { done: 42, total: 297 } }
  await expect(page.getByText('42 of 297 · 14%')).toBeVisible()
  shown = { state: 'cancelled', progress: null, toWrite: 1939, tried: 297 }
  await expect(page.getByText('It got through 297 of 1,939 rows. The others were left as they were.')).toBeVisible()

  // In the list of address books, too, its deletion is explained in its own words.
  await page.goto('/auth_web/manage/exterPhone-sync')
  await page.getByRole('button', { name: 'Delete Corporate mailbox' }).click()
  await expect(page.getByRole('dialog')).toContainText('The mailboxes stay as they are.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/auth_web/manage/email?tab=provisioning')
  await expect(page.getByText('On: mailboxes are created and disabled')).toBeVisible()
  await expectSound(page)
})
