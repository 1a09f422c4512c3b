import type { Page } from '@playwright/test'
import { expect, fillIn, test } from './fixtures.ts'

const ADMINISTRATORS = '/auth_web/manage/administrator-manage'
const PEOPLE = '/auth_web/manage/organization'

/** Chooses the one that a picker finds, with the keyboard alone. */
async function pick(page: Page, label: string, text: string, found: RegExp) {
  const field = page.getByRole('combobox', { name: label })
  await field.fill(text)
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText([found])
  await field.press('ArrowDown')
  await field.press('Enter')
}

test('a super user lets somebody administer a department; they see it, act there, and lose it again', async ({
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
  await expect(page.getByText('Person dean is an administrator now')).toBeVisible()
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

  await row.getByRole('button', { name: "Change Person dean's powers" }).click()
  await dialog.getByRole('checkbox', { name: 'Edit people and departments' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Edit people and departments')
  await dean.goto(`${PEOPLE}?search=pupil`)
  await expect(scope).toContainText('Edit people and departments')
  await dean.getByRole('button', { name: 'pupil', exact: true }).click()
  const drawer = dean.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Lock', exact: true }).click()
  await drawer.last().getByRole('button', { name: 'Lock', exact: true }).click()
  await drawer.first().getByRole('button', { name: 'Unlock', exact: true }).click()
  await drawer.last().getByRole('button', { name: 'Unlock', exact: true }).click()
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

test('a key pressed before the answer is here takes nobody else', async ({ page, logIn }) => {
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
  test('the history shows who changed what, and the way back goes with the keyboard alone', async ({ page }) => {
    await page.goto('/auth_web/')
    await fillIn(page, 'root')
    await page.waitForURL('**/auth_web/my-apps')
    await page.goto('/auth_web/manage/change-history?targetKind=settings')
    await page.getByRole('combobox', { name: '标识' }).selectOption('登录')
    await expect(page).toHaveURL(/targetId=login/)
    const change = page.getByRole('button', { name: /修改设置.*登录/ })
    await change.press('Enter')
    await expect(page.getByRole('table')).toContainText('管理员需二次认证')
    await page.getByRole('button', { name: '原始数据' }).press('Enter')
    await expect(page.getByRole('region', { name: '变更后' })).toContainText('"secondFactorSuperUsers": false')
    await page.getByRole('button', { name: '回滚到变更前' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('table')).toContainText('管理员需二次认证')
    await dialog.getByRole('button', { name: '回滚' }).press('Enter')
    await expect(dialog.getByLabel('原因')).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
})
