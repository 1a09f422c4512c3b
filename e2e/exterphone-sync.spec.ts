import type { Page } from '@playwright/test'
import type { BookSync } from '#shared/contract/address-books.ts'
import { type Simulator, startSimulator, VENDORS } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { choose } from './fields.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

type School = { url: string; vendor: Simulator; stop(): Promise<void> }

/** A school with two departments that WeCom doesn't know yet. */
async function openSchool(): Promise<School> {
  const organizations = [
    { code: 'top', name: 'University' },
    { code: 'physics', name: 'Physics', parent: 'top' },
  ]
  const userCategories = [{ code: 'student', name: 'Student' }]
  const users = [
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
    { account: 'ada', name: 'Ada', password: PASSWORD, organization: 'physics', phone: '13912340001' },
    { account: 'bob', name: 'Bob', password: PASSWORD, organization: 'physics' },
  ]
  const gatehouse = await startGatehouse({
    bootstrap: { organizations, users, userCategories, settings: { login: { secondFactorSuperUsers: false } } },
  })
  const vendor = await startSimulator(VENDORS.qywx, { trustedOrigin: gatehouse.url })
  const stop = async () => {
    await gatehouse.stop()
    await vendor.close()
  }
  return { url: gatehouse.url, vendor, stop }
}

async function decide(page: Page, verb: 'Apply this plan' | 'Undo this run', reason: string): Promise<void> {
  await page.getByRole('button', { name: verb }).click()
  const dialog = page.getByRole('dialog', { name: `${verb}?` })
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: verb }).click()
  await expect(dialog).toHaveCount(0)
}

const test = testWithServer('exterphone-sync', openSchool)

test('departments and people are planned, approved, written to WeCom, and undone', async ({ page, server }) => {
  const { vendor } = server
  const contacts = VENDORS.qywx.contacts?.(vendor.url)
  await page.goto('/auth_web/manage/exterPhone-sync')
  await fillIn(page, 'root')
  const read = page.getByRole('region', { name: 'Read from an address book' })
  await expect(read).toContainText('No directory sync reads an address book yet.')
  await page.getByRole('button', { name: 'New address book' }).first().click()
  const form = page.getByRole('dialog', { name: 'New address book' })
  await form.getByLabel('Name', { exact: true }).fill('Campus WeCom')
  await form.getByLabel('CorpID').fill(contacts?.application ?? '')
  await form.getByLabel('Secret of the contacts assistant').fill(contacts?.secret ?? '')
  await form.getByLabel('API address').fill(vendor.url)
  await form.getByLabel('Department here 1').fill('Univ')
  await page.getByRole('option', { name: 'University top' }).click()
  await form.getByRole('button', { name: 'Add another department' }).click()
  const there = form.getByLabel('Department ID there 2')
  await there.fill('')
  await expect(there).toHaveValue('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(there).toHaveAttribute('aria-invalid', 'true')
  await there.fill('2')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByLabel('Department here 2')).toHaveAttribute('aria-invalid', 'true')
  await form.getByRole('button', { name: 'Remove department 2' }).click()
  await form.getByLabel('User categories').fill('Stud')
  await page.getByRole('option', { name: 'Student' }).click()
  await form.getByLabel('Responsible').fill('root')
  await page.getByRole('option', { name: 'Root Admin (root)' }).click()
  await form.getByLabel('On a schedule').click()
  await expect(form.locator('.sync-next li')).toHaveCount(5)
  await choose(form.getByLabel('People who no longer belong to it'), 'Leavers are disabled in the address book')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Campus WeCom saved')).toBeVisible()

  await page.getByRole('button', { name: 'Edit Campus WeCom' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit Campus WeCom' })
  await expect(edited.getByLabel('Department here 1')).toHaveValue('University')
  await expect(edited.getByText('Root Admin (root)')).toBeVisible()
  // Somebody else deletes both: the shown state is saved anyway.
  const call = await callerAs(server.url, 'root')
  const { records } = await call<{ records: BookSync[] }>('/book_sync/query/')
  const [sync] = records
  if (!sync) throw new Error('no sync')
  const { version, name, vendor: kind, application, secret, host, roots, leavers, thresholds } = sync
  const kept = { version, name, vendor: kind, application, secret, host, roots, leavers, thresholds }
  await call(`/book_sync/${sync.id}/update/`, { ...kept, categoryIds: [], responsibleIds: [], schedule: null })
  await edited.getByLabel('Note').fill('Mine')
  await edited.getByRole('button', { name: 'Save' }).click()
  const conflict = edited.getByRole('alert')
  await expect(conflict.getByRole('row', { name: 'User categories Student —' })).toBeVisible()
  await expect(conflict.getByRole('row', { name: 'Responsible Root Admin (root) —' })).toBeVisible()
  await expect(conflict.getByRole('row', { name: /^Schedule 30 2 \* \* \* \(.+\) —$/ })).toBeVisible()
  await conflict.getByRole('button', { name: 'Use theirs' }).click()
  await expect(edited.getByRole('button', { name: 'Remove Student' })).toHaveCount(0)
  await expect(edited.getByText('Root Admin (root)')).toHaveCount(0)
  await edited.getByLabel('User categories').fill('Stud')
  await page.getByRole('option', { name: 'Student' }).click()
  await edited.getByRole('button', { name: 'Remove Student' }).click()
  await edited.getByRole('button', { name: 'Save' }).click()
  await expect(edited).toHaveCount(0)

  await page.getByRole('link', { name: 'Runs of Campus WeCom' }).click()
  await page.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByText('This is the first run for this address book: 3 departments and people.')).toBeVisible()
  const rows = page.getByRole('region', { name: 'Rows' })
  await expect(rows.getByRole('row', { name: /Ada \(ada\)/ })).toContainText('New')
  await expect(rows.getByRole('row', { name: /Bob \(bob\)/ })).toContainText(
    'WeCom needs a phone number or email address',
  )
  expect(vendor.book.users.has('ada')).toBe(false)
  expect(await violations(page)).toEqual([])

  const run = page.locator('.sync-run')
  const physicsThere = () => [...vendor.book.departments.values()].find(({ name }) => name === 'Physics')

  // The assistant loses its rights halfway: what was written is reported and undone.
  vendor.book.failNext.push({ path: '/cgi-bin/user/create', problem: 'no-permission', times: 1 })
  await decide(page, 'Apply this plan', 'New term')
  await expect(run.getByText('Failed', { exact: true })).toBeVisible()
  await expect(rows.getByRole('row', { name: /Ada \(ada\)/ })).toContainText('Not written')
  expect(physicsThere()).not.toBe(undefined)
  await decide(page, 'Undo this run', 'Try again later')
  await expect(run.getByText('Undone', { exact: true })).toBeVisible()
  expect(physicsThere()).toBe(undefined)

  await page.getByRole('button', { name: 'Run now' }).click()
  await decide(page, 'Apply this plan', 'New term')
  await expect(run.getByText('Done', { exact: true })).toBeVisible()
  expect(vendor.book.users.get('ada')).toMatchObject({ name: 'Ada', departments: [physicsThere()?.id] })

  await decide(page, 'Undo this run', 'Wrong company')
  await expect(run.getByText('Undone', { exact: true })).toBeVisible()
  expect(vendor.book.users.has('ada')).toBe(false)
  expect(physicsThere()).toBe(undefined)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  const source = {
    name: 'WeCom people',
    kind: 'wecom',
    user: 'ww1',
    password: 'a-secret',
    options: { url: vendor.url },
  }
  const { id: sourceId } = await call('/data_source/create/', source)
  const mapping = ['account', 'name'].map((field) => ({ field, column: field === 'name' ? 'name' : 'userid' }))
  const reading = { name: 'People of WeCom', sourceId, table: 'people', keyColumn: 'userid', mapping }
  await call('/directory_sync/create/', reading)
  const listed = '**/directory_sync/query/**'
  await page.route(listed, (route) => route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } }))
  await page.getByRole('link', { name: 'All address books' }).click()
  await page.reload()
  await expect(page.getByText('Campus WeCom')).toBeVisible()
  await expect(read.getByRole('alert')).toContainText('Broken')
  await page.unroute(listed)
  await read.getByRole('button', { name: 'Try again' }).click()
  await expect(read.getByRole('link', { name: 'People of WeCom' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
