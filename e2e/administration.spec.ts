import type { Page } from '@playwright/test'
import { topDialog } from './dialogs.ts'
import { choose } from './fields.ts'
import { expect, fillIn, test } from './fixtures.ts'

const ADMINISTRATORS = '/auth_web/manage/administrator-manage'
const PEOPLE = '/auth_web/manage/organization'

/** Picks an option with the keyboard alone. */
async function pick(page: Page, label: string, text: string, found: RegExp) {
  const field = page.getByRole('combobox', { name: label })
  await field.fill(text)
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText([found])
  await field.press('ArrowDown')
  await field.press('Enter')
}

test('a super user appoints an administrator of a department, who sees it, acts there, and loses it again', async ({
  browser,
  page,
  logIn,
}) => {
  await logIn(page, 'root', ADMINISTRATORS)
  await page.getByRole('button', { name: 'Appoint administrator' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Appoint', exact: true }).click()
  await expect(dialog.getByText('Choose one from the list.').first()).toBeVisible()
  await pick(page, 'Person', 'dean', /Person dean/)
  await pick(page, 'Organisation', 'Computer', /Computer Science/)
  await dialog.getByRole('checkbox', { name: 'Lift locks and freezes' }).press('Space')
  await dialog.getByLabel('Reason').fill('New dean')
  await dialog.getByRole('button', { name: 'Appoint', exact: true }).press('Enter')
  await expect(page.getByText('Person dean is now an administrator')).toBeVisible()
  const row = page.getByRole('row', { name: /Person dean/ })
  await expect(row).toContainText('Demo University / Computer Science')
  await expect(row).toContainText('Lift locks and freezes')

  const theirs = await browser.newContext()
  const dean = await theirs.newPage()
  await logIn(dean, 'dean', PEOPLE)
  const scope = dean.getByRole('list', { name: 'What you administer' })
  await expect(scope).toContainText('Computer Science')
  await expect(dean.getByRole('link', { name: 'Administrators' })).toHaveCount(0)
  await expect(dean.getByRole('tree').getByText('Computer Science')).toBeVisible()
  await expect(dean.getByText('Demo University', { exact: true })).toHaveCount(0)
  await dean.keyboard.press('Control+k')
  await dean.getByRole('dialog').getByRole('combobox').fill('person')
  await expect(dean.getByRole('dialog').getByText('Person lilei').first()).toBeVisible()
  await dean.getByRole('dialog').getByRole('combobox').fill('stranger')
  await expect(dean.getByRole('dialog').getByText('Person stranger')).toHaveCount(0)
  await dean.keyboard.press('Escape')
  await dean.goto(ADMINISTRATORS)
  await expect(dean).toHaveURL(/\/auth_web\/401$/)

  await row.getByRole('button', { name: 'Change permissions of Person dean' }).click()
  await dialog.getByRole('checkbox', { name: 'Edit people and departments' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Edit people and departments')
  await dean.goto(`${PEOPLE}?search=pupil`)
  await expect(scope).toContainText('Edit people and departments')
  await dean.getByRole('button', { name: 'pupil', exact: true }).click()
  const drawer = dean.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Lock', exact: true }).click()
  await topDialog(dean).getByRole('button', { name: 'Lock', exact: true }).click()
  const cause = drawer.first().getByRole('region', { name: "Why they can't log in" })
  await cause.getByRole('button', { name: 'Unlock', exact: true }).click()
  await topDialog(dean).getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(drawer).toHaveCount(1)

  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('1 withdrawn')).toBeVisible()
  await expect(row).toHaveCount(0)
  await dean.goto('/auth_web/my-apps')
  await expect(dean.getByRole('link', { name: 'Back office' })).toHaveCount(0)
  await dean.goto(PEOPLE)
  await expect(dean).toHaveURL(/\/auth_web\/401$/)
  await theirs.close()
})

test('an administrator who may edit but not grant is told at the field what access a category would give, and to whom', async ({
  page,
  school,
  logIn,
}) => {
  const { sql } = school
  await sql`insert into user_categories (id, code, name) values (gen_random_uuid(), 'keeper', 'Keepers of keys')`
  await sql`insert into roles (id, code, name) values (gen_random_uuid(), 'keys', 'Every key')`
  await sql`
    insert into role_member_groups (role_id, kind, subject_id)
    select r.id, 'category', c.id from roles r, user_categories c where r.code = 'keys' and c.code = 'keeper'`
  await sql`
    insert into users (id, account, name, activated, organization_id, created_at, updated_at)
    select gen_random_uuid(), 'deputy', 'Deputy', true, organization_id, now(), now() from users where account = 'pupil'`
  await sql`insert into login_names (canonical, user_id, kind) select account, id, 'account' from users where account = 'deputy'`
  await sql`
    insert into passwords (user_id, hash, changed_at)
    select d.id, p.hash, p.changed_at from users d, users u join passwords p on p.user_id = u.id
    where d.account = 'deputy' and u.account = 'pupil'`
  await sql`
    insert into appointments (id, user_id, organization_id, permissions, created_at, updated_at)
    select gen_random_uuid(), id, organization_id, '{edit}', now(), now() from users where account = 'deputy'`
  await logIn(page, 'deputy', `${PEOPLE}?search=pupil`)
  await page.getByRole('checkbox', { name: 'Person pupil' }).check()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = topDialog(page)
  await choose(dialog.getByRole('combobox', { name: 'Category' }), 'Keepers of keys')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const reason = 'person would gain: Every key. That also requires the permission “Grant applications”.'
  await expect(dialog.getByRole('listitem').filter({ hasText: 'pupil' })).toContainText(
    new RegExp(`Category: .*${reason}`),
  )
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'pupil', exact: true }).click()
  await page.locator('dialog.drawer').getByRole('button', { name: 'Edit', exact: true }).click()
  const category = dialog.getByRole('combobox', { name: 'Category' })
  await choose(category, 'Keepers of keys')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(category).toHaveAccessibleDescription(new RegExp(reason))
  await choose(category, 'Student')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('a key pressed before the results arrive selects nobody', async ({ page, logIn }) => {
  await logIn(page, 'root', ADMINISTRATORS)
  await page.getByRole('button', { name: 'Appoint administrator' }).click()
  const field = page.getByRole('combobox', { name: 'Person' })
  const options = page.getByRole('dialog').getByRole('option')
  await field.click()
  await expect(options.nth(1)).toBeVisible()
  await field.pressSequentially('dean')
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(options).toHaveText([/Person dean/])
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Remove/ })).toHaveCount(0)
})

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })
  test('the history shows who changed what, and a change is rolled back by keyboard alone', async ({ page }) => {
    await page.goto('/auth_web/')
    await fillIn(page, 'root')
    await page.waitForURL('**/auth_web/my-apps')
    await page.goto('/auth_web/manage/change-history?targetKind=settings')
    await choose(page.getByRole('combobox', { name: '标识' }), '登录')
    await expect(page).toHaveURL(/targetId=login/)
    const change = page.getByRole('button', { name: /修改设置.*登录/ })
    await change.press('Enter')
    await expect(page.getByRole('table')).toContainText('管理员需两步验证')
    await page.getByRole('button', { name: '原始数据' }).press('Enter')
    await expect(page.getByRole('region', { name: '变更后' })).toContainText('"secondFactorSuperUsers": false')
    await page.getByRole('button', { name: '回滚到变更前' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('table')).toContainText('管理员需两步验证')
    await dialog.getByRole('button', { name: '回滚' }).press('Enter')
    await expect(dialog.getByLabel('原因')).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
})
