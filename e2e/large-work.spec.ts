import type { Locator, Page } from '@playwright/test'
import { topDialog } from './dialogs.ts'
import { expect, PASSWORD, testWithServer } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

const PEOPLE = 2400

const SCHOOL = {
  organizations: [
    { code: 'school', name: 'Demo University' },
    { code: 'old', name: 'Old department', parent: 'school' },
    { code: 'new', name: 'New department', parent: 'school' },
  ],
  roles: [{ code: 'crowd', name: 'Crowd' }],
  users: [{ account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true }],
  settings: { login: { secondFactorSuperUsers: false } },
}

async function openLargeSchool(): Promise<Gatehouse> {
  const gatehouse = await startGatehouse({ bootstrap: SCHOOL })
  const { sql } = gatehouse
  await sql`
    insert into users (id, account, name, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'p' || n, 'Person ' || n, o.id, now(), now()
    from generate_series(1, ${PEOPLE}) n, organizations o where o.code = 'old'`
  await sql`
    insert into role_members (role_id, user_id) select r.id, u.id from users u, roles r where u.account ~ '^p[0-9]' and r.code = 'crowd'`
  return gatehouse
}

const test = testWithServer('large', openLargeSchool)
// One after the other on one server.
test.describe.configure({ mode: 'default' })

const line = (page: Page, name: string): Locator => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })

/** Blocks writes to the last person until released. */
async function hold({ sql }: Gatehouse): Promise<() => Promise<void>> {
  const connection = await sql.reserve()
  await connection`begin`
  await connection`
    select from users where id = (select id from users where account ~ '^p[0-9]' order by id desc limit 1) for update`
  return async () => {
    await connection`rollback`
    connection.release()
  }
}

test('a department of thousands is merged while the page stays usable; the tree shows it, and a notice reports the end', async ({
  page,
  server,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/organization')
  const release = await hold(server)
  await line(page, 'Old department').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Merge into another organisation' }).click()
  await topDialog(page).getByRole('combobox', { name: 'Into' }).fill('new')
  await page.getByRole('option', { name: 'New department' }).click()
  await topDialog(page).getByRole('button', { name: 'Merge', exact: true }).click()
  const progress = page.getByRole('dialog', { name: 'Organisation merge' })
  await expect(progress).toContainText('2,000 of 2,400 · 83%')
  await expect(progress).toContainText('Continues if you leave this page.')
  await progress.getByRole('button', { name: 'Close' }).click()

  await expect(line(page, 'Old department')).toContainText('merging')
  await line(page, 'Old department').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Rename and edit' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await line(page, 'New department').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await topDialog(page).getByRole('combobox', { name: 'Move its people to' }).fill('school')
  await page.getByRole('option', { name: 'Demo University school' }).click()
  await topDialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(topDialog(page).getByRole('alert')).toContainText('People are being moved into “New department”')
  await topDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()

  await line(page, 'Old department').click()
  await page.getByRole('button', { name: 'Actions for Old department' }).click()
  await page.getByRole('menuitem', { name: 'Show progress' }).click()
  await expect(progress.getByRole('progressbar')).toBeVisible()
  await progress.getByRole('button', { name: 'Close' }).click()
  await release()
  await expect(page.getByText('“Old department” merged into “New department”')).toBeVisible()
  await expect(line(page, 'Old department')).toHaveCount(0)
  await expect(line(page, 'New department')).toContainText('2,400')
  // The viewed organisation is gone: its people are shown at their new one.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New department')
})

test('a role of thousands is emptied with progress, stopped halfway, and then emptied completely', async ({
  page,
  server,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/role-manage')
  await page.getByRole('button', { name: 'Crowd', exact: true }).click()
  const members = page.getByRole('dialog', { name: 'Crowd' })
  const removeAll = async (total: string) => {
    await members.getByRole('checkbox').first().check()
    await members.getByRole('button', { name: `Select all ${total}` }).click()
    await members.getByRole('button', { name: 'Remove', exact: true }).first().click()
    await topDialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  }
  const connection = await server.sql.reserve()
  await connection`begin`
  await connection`
    select from role_members where user_id = (select user_id from role_members order by user_id limit 1 offset 1500) for update`
  await removeAll('2,400')
  await expect(topDialog(page)).toContainText('1,000 of 2,400 · 41%')
  await topDialog(page).getByRole('button', { name: 'Stop' }).click()
  await expect(topDialog(page).getByRole('button', { name: 'Stopping' })).toBeDisabled()
  await connection`rollback`
  connection.release()
  await expect(topDialog(page)).toContainText('Stopped: 2,000 of 2,400 are done and are kept.')
  await expect(topDialog(page)).toContainText('2,000 removed')
  await topDialog(page).getByRole('button', { name: 'Close' }).click()
  await removeAll('400')
  await expect(page.getByText('400 removed').first()).toBeVisible()
  await expect(members.getByText('No members of this kind yet')).toBeVisible()
})

test('an export shows its number of rows, and asks before a very large one', async ({ page, server, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization')
  const menu = page.getByRole('button', { name: 'Export' })
  await menu.click()
  await expect(page.getByRole('menu')).toContainText('2,401 rows')
  const small = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  expect((await small).suggestedFilename()).toMatch(/\.csv$/)
  await expect(page.getByText(/^Saved as/)).toBeVisible()

  await server.sql`
    insert into users (id, account, name, created_at, updated_at)
    select gen_random_uuid(), 'q' || n, 'Q', now(), now() from generate_series(1, 10100) n`
  await page.getByLabel('Account, name, phone, email').fill('q')
  await page.getByLabel('Account, name, phone, email').press('Enter')
  await expect(page.getByText('10,000+ people')).toBeVisible()
  await menu.click()
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  await expect(topDialog(page).getByRole('heading')).toHaveText('Export 10,000+ rows?')
  await expect(topDialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await topDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await menu.click()
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const many = page.waitForEvent('download')
  await topDialog(page).getByRole('button', { name: 'Export' }).click()
  expect((await many).suggestedFilename()).toMatch(/\.csv$/)
})
