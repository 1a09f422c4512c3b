import type { Page } from '@playwright/test'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'

const PAGE = '/auth_web/manage/login-config'
const saveBar = (page: Page) => page.locator('.save-bar')
const saved = (page: Page) => expect(saveBar(page)).toBeHidden()
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

test('an administrator finds a rule, tests a password against it, saves by keyboard, and resets it', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await expect(page.getByRole('heading', { name: 'Login rules' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('shortest')
  await expect(page.locator('.policy-field')).toHaveCount(1)
  const shortest = field(page, 'Minimum password length')
  await shortest.fill('200')
  await expect(page.getByText('A whole number from 6 to 64')).toBeVisible()
  await shortest.fill('14')
  await page.getByRole('button', { name: 'Test a password' }).click()
  await field(page, 'Password').fill('Quiet-lake-1')
  await expect(page.locator('[data-outcome=failed]')).toContainText('At least 14 characters')
  await field(page, 'Password').fill('Quiet-lake-7731')
  await expect(page.getByText('This password is allowed.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(saveBar(page)).toContainText('1 unsaved change')
  await page.keyboard.press('Control+s')
  await saved(page)
  await page.reload()
  await expect(shortest).toHaveValue('14')
  await page.getByRole('button', { name: 'Reset to default: Minimum password length' }).press('Enter')
  await expect(shortest).toHaveValue('8')
  await expect(shortest).toBeFocused()
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await saved(page)
  await expect(shortest).toBeFocused()
  await page.getByRole('tab', { name: 'Change history' }).click()
  await expect(page.locator('.change-line').first()).toContainText('Minimum password length')
})

test('a change that would lock its author out is refused at its field, and leaving asks first', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Login methods' }).click()
  await page.getByRole('checkbox', { name: 'Account and password' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saveBar(page)).toContainText("You wouldn't be able to log in again yourself")
  await expect(page.getByRole('checkbox', { name: 'Account and password' })).toBeFocused()
  await page.getByRole('link', { name: 'Change history' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await saved(page)
})

test('if two administrators edit at once, the second sees what the first saved, and keeps or takes it', async ({
  page,
  browser,
  school,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await field(page, 'Lock duration (minutes)').fill('45')
  const theirs = await browser.newContext({ baseURL: school.url })
  const other = await theirs.newPage()
  await logIn(other, 'root', PAGE)
  await field(other, 'Lock duration (minutes)').fill('50')
  await choose(other.getByRole('combobox', { name: 'Captcha type' }), 'A slider')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(other)
  await theirs.close()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.locator('.conflict')
  await expect(notice.getByRole('row', { name: /Lock duration/ })).toContainText('50 minutes45 minutes')
  await expect(notice.getByRole('row', { name: /Captcha type/ })).toContainText('A slider—')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
  await expect(field(page, 'Lock duration (minutes)')).toHaveValue('45')
  await expect(page.getByRole('combobox', { name: 'Captcha type' })).toContainText('A slider')
  await page.getByRole('button', { name: 'Reset to default: Lock duration (minutes)' }).click()
  await page.getByRole('button', { name: 'Reset to default: Captcha type' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
})

test('stricter password rules for administrators are tested, saved and rolled back', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('for groups')
  await page.getByRole('button', { name: 'Add rule' }).click()
  const demand = page.getByRole('group', { name: 'Rule 1' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(demand).toContainText('Choose a category, or turn on administrators.')
  await expect(demand).toContainText('Set at least one requirement.')
  await expect(demand.getByRole('combobox', { name: 'For these user categories' })).toBeFocused()
  await demand.getByRole('switch').check()
  await demand.getByLabel('Minimum length').fill('70')
  await expect(demand.getByText('6 to 64 characters')).toBeVisible()
  await demand.getByLabel('Minimum length').fill('16')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('')
  await page.getByRole('button', { name: 'Test a password' }).click()
  await field(page, 'Password').fill('Quiet-lake-31')
  const holds = page.locator('.password-test-holds')
  await expect(page.getByText('Rules without a person:')).toBeVisible()
  await expect(holds).toContainText('off')
  await page.getByRole('combobox', { name: 'Person' }).fill('root')
  await page.getByRole('option', { name: '(root)' }).click()
  await expect(page.locator('[data-outcome=failed]')).toContainText('At least 16 characters')
  await expect(page.getByText('Rules for this person:')).toBeVisible()
  await expect(holds).toContainText('16')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reset to default: Password rules for groups' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
})

test('growing locks, the login limit and the retention of records are validated at their fields', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await choose(page.getByRole('combobox', { name: 'Repeated locks' }), 'Doubles each time')
  await field(page, 'Maximum lock duration (minutes)').fill('5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saveBar(page)).toContainText("The longest lock can't be shorter")
  await field(page, 'Maximum lock duration (minutes)').fill('120')
  await field(page, 'Maximum concurrent logins').fill('19')
  const records = page.getByRole('region', { name: 'Records', exact: true })
  await expect(records).toContainText('Next run:')
  await expect(records.getByRole('table')).toContainText('Month')
  await field(page, 'Logins (days)').fill('100')
  await expect(page.getByText('A whole number from 180 to 3,650')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saveBar(page).getByRole('alert')).toHaveText('Please check the marked fields.')
  await expect(field(page, 'Logins (days)')).toBeFocused()
  await field(page, 'Logins (days)').fill('200')
  await expect(saveBar(page).getByRole('alert')).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await saved(page)
})

test('what is typed while the login rules are being saved is kept as unsaved', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/login_config/update/**', async (route) => {
    await held
    await route.fallback()
  })
  await field(page, 'Lock duration (minutes)').fill('46')
  await page.keyboard.press('Control+s')
  await field(page, 'Maximum concurrent logins').fill('18')
  release()
  await expect(saveBar(page)).toContainText('1 unsaved change')
  await expect(field(page, 'Maximum concurrent logins')).toHaveValue('18')
  await expect(field(page, 'Lock duration (minutes)')).toHaveValue('46')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Reset to default: Lock duration (minutes)' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
})

test('leaving while the login rules are being saved asks first, and goes on by itself once they are saved', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  const lock = field(page, 'Lock duration (minutes)')
  const question = page.getByRole('dialog', { name: 'Leave while it is being saved?' })
  const release = await holdFirst(page, '**/login_config/update/**')
  await lock.fill('47')
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Locked accounts' }).click()
  await question.getByRole('button', { name: 'Keep waiting' }).click()
  await expect(page).toHaveURL(/login-config/)
  await page.getByRole('link', { name: 'Locked accounts' }).click()
  await expect(question).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Locked accounts', level: 1 })).toBeVisible()
  await expect(question).toHaveCount(0)
  await page.getByRole('link', { name: 'Login rules' }).click()
  await expect(lock).toHaveValue('47')

  const refuse = await holdFirst(page, '**/login_config/update/**')
  await lock.fill('0')
  await page.keyboard.press('Control+s')
  await page.goBack()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).not.toHaveURL(/login-config/)
  refuse()
  await expect(page.locator('.notice-danger')).toContainText(
    "“Login rules” didn't go through. “Lock duration (minutes)”",
  )
  await page.goto(PAGE)
  await page.getByRole('button', { name: 'Reset to default: Lock duration (minutes)' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
})

test('a refused rule that the search hides is shown, marked and focused', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await field(page, 'Minimum password length').fill('200')
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('captcha type')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(field(page, 'Minimum password length')).toBeFocused()
  await expect(saveBar(page).getByRole('alert')).toHaveText('Please check the marked fields.')
})

test('a rule that is refused while the history is open is named as on the page', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await field(page, 'Minimum password length').fill('200')
  await page.getByRole('tab', { name: 'Change history' }).click()
  await page.keyboard.press('Control+s')
  await expect(saveBar(page).getByRole('alert')).toHaveText("“Minimum password length” can't be used: At most 64.")
})

test('removing a password rule for groups keeps the focus beside the others', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('for groups')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Remove rule 2' }).press('Enter')
  await expect(page.getByRole('group', { name: 'Rule 2' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add rule' })).toBeFocused()
})

test('the bounds of a duration are said in the unit in which it is typed', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await field(page, 'Remembered login').fill('500')
  await expect(page.getByText('A whole number from 0 to 90', { exact: true })).toBeVisible()
})

test('the verdict on a password is not shown for the next one', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Test a password' }).click()
  const dialog = page.getByRole('dialog')
  await field(page, 'Password').fill('Quiet-lake-7731')
  await expect(dialog.getByText('This password is allowed.')).toBeVisible()
  const release = await holdFirst(page, '**/login_config/test_password/**')
  const asked = page.waitForRequest('**/login_config/test_password/**')
  await field(page, 'Password').fill('short')
  await asked
  await expect(dialog.getByText('This password is allowed.')).toBeHidden()
  await expect(dialog.getByText('Checking…')).toBeVisible()
  release()
  await expect(dialog.locator('[data-outcome=failed]').first()).toBeVisible()
})

test('the records of a month are read on a phone without scrolling sideways', async ({ page, logIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, 'root', PAGE)
  const months = page.getByRole('region', { name: 'Records by month' })
  await expect(months.getByRole('row').nth(1)).toContainText('MB')
  expect(await months.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})
