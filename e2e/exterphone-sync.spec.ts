import { type Simulator, startSimulator, VENDORS } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { choose } from './fields.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

type School = { url: string; vendor: Simulator; stop(): Promise<void> }

/** A school with two departments, of which WeCom knows nothing yet. */
async function openSchool(): Promise<School> {
  const organizations = [
    { code: 'top', name: 'University' },
    { code: 'physics', name: 'Physics', parent: 'top' },
  ]
  const users = [
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
    { account: 'ada', name: 'Ada', password: PASSWORD, organization: 'physics', phone: '13912340001' },
    { account: 'bob', name: 'Bob', password: PASSWORD, organization: 'physics' },
  ]
  const gatehouse = await startGatehouse({
    bootstrap: { organizations, users, settings: { login: { secondFactorSuperUsers: false } } },
  })
  const vendor = await startSimulator(VENDORS.qywx, { trustedOrigin: gatehouse.url })
  const stop = async () => {
    await gatehouse.stop()
    await vendor.close()
  }
  return { url: gatehouse.url, vendor, stop }
}

const test = testWithServer('exterphone-sync', openSchool)

test('departments and people are planned, approved, written into WeCom, and taken back', async ({ page, server }) => {
  const { vendor } = server
  const contacts = VENDORS.qywx.contacts?.(vendor.url)
  await page.goto('/auth_web/manage/exterPhone-sync')
  await fillIn(page, 'root')
  await page.getByRole('button', { name: 'New address book' }).first().click()
  const form = page.getByRole('dialog', { name: 'New address book' })
  await form.getByLabel('Name', { exact: true }).fill('Campus WeCom')
  await form.getByLabel('CorpID').fill(contacts?.application ?? '')
  await form.getByLabel('Secret of the contacts assistant').fill(contacts?.secret ?? '')
  await form.getByLabel('API address').fill(vendor.url)
  await form.getByLabel('Department here').fill('Univ')
  await page.getByRole('option', { name: 'University top' }).click()
  await choose(form.getByLabel('People who no longer belong to it'), 'Leavers are disabled in the address book')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Campus WeCom saved')).toBeVisible()

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

  await page.getByRole('button', { name: 'Apply this plan' }).click()
  const approval = page.getByRole('dialog', { name: 'Apply this plan?' })
  await approval.getByLabel('Reason').fill('New term')
  await approval.getByRole('button', { name: 'Apply this plan' }).click()
  const run = page.locator('.sync-run')
  await expect(run.getByText('Done', { exact: true })).toBeVisible()
  const physics = [...vendor.book.departments.values()].find(({ name }) => name === 'Physics')
  expect(vendor.book.users.get('ada')).toMatchObject({ name: 'Ada', departments: [physics?.id] })

  await page.getByRole('button', { name: 'Undo this run' }).click()
  const undo = page.getByRole('dialog', { name: 'Undo this run?' })
  await undo.getByLabel('Reason').fill('Wrong company')
  await undo.getByRole('button', { name: 'Undo this run' }).click()
  await expect(run.getByText('Undone', { exact: true })).toBeVisible()
  expect(vendor.book.users.has('ada')).toBe(false)
  expect([...vendor.book.departments.values()].some(({ name }) => name === 'Physics')).toBe(false)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('link', { name: 'All address books' }).click()
  await expect(page.getByText('Campus WeCom')).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
