import type { Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { topDialog } from './dialogs.ts'
import { expect, openSchool, type School, testWithServer } from './fixtures.ts'

const test = testWithServer<School>('twelve jobs', () => openSchool())
test.describe.configure({ mode: 'default' })

/** Counts mouse clicks; the back-office search (Ctrl-K) and all fields are typed. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('clicked', () => {
    clicks += 1
  })
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => void (window as unknown as { clicked(): void }).clicked(), true)
  })
  return () => clicks
}

/** A job begins at the home of the back office. */
async function begin(page: Page, logIn: (page: Page, account: string, path: string) => Promise<void>) {
  const clicks = await countClicks(page)
  await logIn(page, 'root', '/auth_web/manage')
  return clicks
}

/** Opens the first search hit with the keyboard. */
async function find(page: Page, text: string, hit: RegExp): Promise<void> {
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused({ timeout: 2000 })
  }).toPass()
  await field.fill(text)
  await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText(hit)
  await page.keyboard.press('Enter')
  await expect(field).toHaveCount(0)
}

const drawer = (page: Page) => page.locator('dialog.drawer')

/** Locks somebody, so that there is something to unlock and to explain. */
async function lock(server: School, account: string): Promise<void> {
  const call = await callerAs(server.url, 'root')
  const { records } = await call<{ records: { id: string }[] }>(`/user_information/query/?search=${account}`)
  const ids = records.map(({ id }) => id)
  await call('/user_information/batch_change/', { selection: { ids }, verb: 'lock', reason: 'Lost phone' })
}

test('1: half a name, and unlock', async ({ page, server, logIn }) => {
  await lock(server, 'lockedout')
  const clicks = await begin(page, logIn)
  await find(page, 'Person locke', /Person lockedout/)
  await drawer(page).getByRole('button', { name: 'Unlock', exact: true }).first().click()
  await topDialog(page).getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(page.getByText('Unlock Success: 1 person').first()).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(3)
})

test('2: reset an account, with a link and a code to hand over', async ({ page, logIn }) => {
  const clicks = await begin(page, logIn)
  await find(page, 'returning', /Person returning/)
  await drawer(page).getByRole('button', { name: 'Reset account' }).click()
  await topDialog(page).getByRole('button', { name: 'Reset account' }).click()
  await expect(topDialog(page).getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expect(topDialog(page).locator('time')).toBeVisible()
  await topDialog(page).getByRole('button', { name: /^Copy/ }).click()
  await topDialog(page).getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toHaveCount(0)
  expect(clicks()).toBeLessThanOrEqual(5)
})

test('3: Moodle by CAS, with a test login', async ({ page, logIn }) => {
  const clicks = await begin(page, logIn)
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await page.getByRole('link', { name: 'New application' }).click()
  await page.getByRole('link', { name: /^Moodle/ }).click()
  await page.getByLabel('Address of Moodle').fill('https://moodle.school.test')
  await page.getByRole('button', { name: 'Create application' }).click()
  await expect(page.getByRole('heading', { name: 'Moodle is ready' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Person' }).fill('lisi')
  await page.getByRole('option', { name: /lisi/ }).click()
  await page.getByRole('button', { name: /^Grant it to/ }).click()
  await expect(page.getByText(/lisi.* can log in/)).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(8)
})

test('4: grant an application to a faculty, seeing how many people gain it', async ({ page, server, logIn }) => {
  const call = await callerAs(server.url, 'root')
  const fields = { appId: 'lab', name: 'Lab booking', protocol: 'cas', serviceUrls: ['https://lab.test/**'] }
  await call('/application_manage/create/', fields)
  const clicks = await begin(page, logIn)
  await find(page, 'computer sc', /Computer Science/)
  await page.getByRole('button', { name: 'Actions for Computer Science' }).click()
  await page.getByRole('menuitem', { name: 'Applications', exact: true }).click()
  await topDialog(page).getByText('Lab booking').first().click()
  await expect(topDialog(page).getByText(/\d+ people gain Lab booking/)).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Confirm (1)' }).click()
  await expect(page.getByText('1 granted').first()).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(5)
})

test('5: import 500 people', async ({ page, logIn }) => {
  const clicks = await begin(page, logIn)
  await find(page, 'import people', /Import people/)
  const rows = Array.from({ length: 500 }, (_, at) => `${70_000 + at},Person ${at},cs,F`)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ])
  const buffer = Buffer.from(`Number,Name,Dept,Gender\n${rows.join('\n')}\n`)
  await chooser.setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Import 500 rows' }).click()
  await expect(page.getByRole('heading', { name: 'Import complete' })).toBeVisible({ timeout: 30_000 })
  expect(clicks()).toBeLessThanOrEqual(4)
})

test("6: why can't they log in?", async ({ page, server, logIn }) => {
  await lock(server, 'onleave')
  const clicks = await begin(page, logIn)
  await find(page, 'onleave', /Person onleave/)
  await expect(drawer(page).getByRole('region', { name: "Why they can't log in" })).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(1)
})

test('7: end one login, named by its device', async ({ browser, page, server, logIn }) => {
  const theirs = await browser.newContext({ baseURL: server.url })
  await logIn(await theirs.newPage(), 'wangwu')
  const clicks = await begin(page, logIn)
  await find(page, 'wangwu', /Person wangwu/)
  await drawer(page).getByRole('tab', { name: 'Current logins' }).click()
  await drawer(page).getByRole('button', { name: 'Kick out', exact: true }).first().click()
  await expect(topDialog(page).getByText(/Chrome.*, since /)).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Kick out', exact: true }).click()
  await expect(drawer(page).getByText(/Chrome/)).toHaveCount(0)
  expect(clicks()).toBeLessThanOrEqual(4)
  await theirs.close()
})

test('8: freeze somebody', async ({ page, logIn }) => {
  const clicks = await begin(page, logIn)
  await find(page, 'departing', /Person departing/)
  await drawer(page).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Freeze', exact: true }).click()
  await topDialog(page).getByRole('button', { name: 'Freeze', exact: true }).click()
  await expect(page.getByText('1 person was frozen').first()).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(4)
})

test('9: appoint an administrator for a department, by a preset, and see what they changed', async ({
  page,
  logIn,
}) => {
  const clicks = await begin(page, logIn)
  await page.getByRole('link', { name: 'Administrators', exact: true }).click()
  await page.getByRole('button', { name: 'Appoint administrator' }).click()
  for (const [label, typed, found] of [
    ['Person', 'zhaoliu', /zhaoliu/],
    ['Organisation', 'Computer', /Computer Science/],
  ] as const) {
    await topDialog(page).getByRole('combobox', { name: label }).fill(typed)
    await topDialog(page).getByRole('option', { name: found }).first().click()
  }
  await topDialog(page).getByRole('button', { name: 'Help desk' }).click()
  await expect(topDialog(page).getByRole('checkbox', { checked: true })).toHaveCount(2)
  await topDialog(page).getByRole('button', { name: 'Appoint', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Change permissions of Person zhaoliu' })).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(6)
  await page.getByRole('link', { name: 'Changes made by Root Admin' }).click()
  await expect(page).toHaveURL(/change-history\?by=root/)
  await expect(page.getByRole('list', { name: 'Change history' }).getByRole('listitem').first()).toBeVisible()
})

test('10: roll a change back', async ({ page, server, logIn }) => {
  const call = await callerAs(server.url, 'root')
  const fields = { appId: 'annals', name: 'Annals', description: 'First', protocol: 'cas', serviceUrls: [] }
  const { id } = await call('/application_manage/create/', fields)
  await call(`/application_manage/${id}/update/`, { version: 1, changes: { description: 'Mistake' } })
  const clicks = await begin(page, logIn)
  await find(page, 'Annals', /Annals/)
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Application changed' }).first().click()
  // Pressed before the preview has loaded, it says so and stays.
  await page.route('**/roll_back/**', async (route) => {
    if (route.request().method() === 'GET') await page.waitForTimeout(2000)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Undo this change' }).click()
  await topDialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(topDialog(page).getByText('still loading')).toBeVisible()
  await expect(topDialog(page).getByRole('table')).toContainText('Mistake')
  await page.unroute('**/roll_back/**')
  await topDialog(page).getByLabel('Reason').fill('By mistake')
  await topDialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByText('Rolled back', { exact: true }).first()).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(5)
})

test('11: export people of one category', async ({ page, logIn }) => {
  const clicks = await begin(page, logIn)
  await find(page, 'organisations and people', /Organisations and people/)
  await page
    .getByRole('combobox', { name: /category/i })
    .first()
    .click()
  await page.getByRole('option', { name: 'Student' }).click()
  await expect(page).toHaveURL(/category/i)
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV file' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  expect(clicks()).toBeLessThanOrEqual(4)
})

test('12: who changed them?', async ({ page, server, logIn }) => {
  await lock(server, 'pupil')
  const clicks = await begin(page, logIn)
  await find(page, 'pupil', /Person pupil/)
  await drawer(page).getByRole('tab', { name: 'History' }).click()
  await expect(drawer(page).getByText('Root Admin').first()).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(2)
})
