import type { Page } from '@playwright/test'
import { choose } from './fields.ts'
import { expect, fillIn, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/account-field-rules'

// The changed rules would affect the people of other journeys.
test.use({ login: { trustedBrowserDays: 29 } })
test.describe.configure({ mode: 'default' })

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
const dialog = (page: Page) => page.getByRole('dialog')
const unconfirmed = (page: Page) => page.getByRole('region', { name: 'Unconfirmed change' })
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true })

async function open(page: Page, field: string): Promise<void> {
  await page.getByRole('button', { name: `Change ${field}`, exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}

/** Removes numbers from the login names, which are all that root has, and saves nevertheless. */
async function forceNoNumber(page: Page): Promise<void> {
  await open(page, 'Account')
  await dialog(page).getByText('Login name', { exact: true }).click()
  await save(page).click()
  await expect(dialog(page)).toContainText('would lock out you or every super user')
  await dialog(page).getByRole('button', { name: 'Save anyway…' }).click()
  await page.getByRole('button', { name: 'Save provisionally' }).click()
  await expect(unconfirmed(page)).toContainText(/It will be undone in (10:00|9:\d\d)/)
  await expect(row(page, 'Account').getByRole('cell', { name: 'Off' }).first()).toBeVisible()
}

test('an administrator sets a rule, which applies on the page of the person, and resets it to its default', async ({
  page,
  browser,
  school,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await open(page, 'Nickname')
  await choose(dialog(page).getByRole('combobox', { name: 'Editable by' }), 'Administrators')
  await expect(dialog(page)).toContainText('Only administrators can change it.')
  await choose(dialog(page).getByRole('combobox', { name: 'Format' }), 'Custom pattern')
  await dialog(page).getByLabel('Pattern').fill('(')
  await save(page).click()
  await expect(dialog(page)).toContainText("this pattern can't be used")
  await dialog(page).getByLabel('Pattern').fill('[a-z]+')
  const refused: string[] = []
  page.on('response', (answer) => !answer.ok() && refused.push(answer.url()))
  await dialog(page).getByLabel('Try a value').fill('abc')
  await expect(dialog(page)).toContainText('This value is accepted.')
  await dialog(page).getByLabel('Try a value').fill('ａｂｃ')
  await expect(dialog(page)).toContainText('This value is not accepted')
  expect(refused).toEqual([])
  await dialog(page).getByLabel('What people are told, in English').fill('Small letters only')
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, 'Nickname')).toContainText('Custom pattern')
  await expect(page.getByRole('button', { name: 'Change Nickname' })).toBeInViewport({ ratio: 1 })
  const outside = await browser.newContext({ baseURL: school.url })
  const other = await outside.newPage()
  await logIn(other, 'lilei', '/auth_web/personal-data')
  await expect(other.getByRole('heading', { name: 'Birthday' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Nickname' })).toHaveCount(0)
  await outside.close()
  await open(page, 'Nickname')
  await expect(dialog(page).getByLabel('What people are told, in English')).toHaveValue('Small letters only')
  await dialog(page).getByRole('button', { name: 'Reset to default: Editable by' }).click()
  await dialog(page).getByRole('button', { name: 'Reset to default: Format' }).click()
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('tab', { name: 'Change history' }).click()
  await expect(page.locator('.change-line').first()).toContainText('Nickname')
})

test('a change that locks its author out is saved provisionally, and undone at once from the open session', async ({
  page,
  browser,
  school,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await forceNoNumber(page)
  await expect(unconfirmed(page).getByRole('button', { name: 'Keep the change' })).toHaveCount(0)
  const outside = await browser.newContext({ baseURL: school.url })
  const other = await outside.newPage()
  await other.goto('/auth_web/')
  await fillIn(other, 'root')
  await expect(other.locator('.alert')).not.toBeEmpty()
  await unconfirmed(page).getByRole('button', { name: 'Undo now' }).click()
  await expect(unconfirmed(page)).toHaveCount(0)
  await fillIn(other, 'root')
  await other.waitForURL('**/auth_web/my-apps')
  await outside.close()
})

test('a provisional change is confirmed from a new login', async ({ page, browser, school, logIn }) => {
  await logIn(page, 'root', PAGE)
  await forceNoNumber(page)
  // An import brings the name that lets them in again.
  await school.sql`update users set mailbox = 'root@example.edu' where account = 'root'`
  await school.sql`
    insert into login_names (canonical, kind, user_id) select 'root@example.edu', 'mailbox', id from users where account = 'root'`
  await page.waitForTimeout(2100)
  const outside = await browser.newContext({ baseURL: school.url })
  const other = await outside.newPage()
  await other.goto('/auth_web/')
  await fillIn(other, 'root@example.edu')
  await other.waitForURL('**/auth_web/my-apps')
  await other.goto(PAGE)
  await unconfirmed(other).getByRole('button', { name: 'Keep the change' }).click()
  await expect(unconfirmed(other)).toHaveCount(0)
  await other.reload()
  await open(other, 'Account')
  await dialog(other).getByText('Login name', { exact: true }).click()
  await save(other).click()
  await expect(dialog(other)).toHaveCount(0)
  await outside.close()
})

test('by keyboard a field is made unique: first the page lists who shares a value, from the beginning, then nobody else is given it', async ({
  page,
  school,
  logIn,
}) => {
  await school.sql`update users set nickname = 'Twin'`
  // Short enough for a list that is longer than the page.
  await page.setViewportSize({ width: 1440, height: 320 })
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Change Nickname', exact: true }).focus()
  await page.keyboard.press('Enter')
  const unique = dialog(page).getByRole('switch', { name: 'Unique' })
  await unique.focus()
  await page.keyboard.press('Space')
  const figure = dialog(page).getByRole('button', { name: /\d+ people have the same Nickname as someone else/ })
  await figure.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('dialog', { name: 'People with the same Nickname as someone else' })
  await expect(list.getByRole('row', { name: /lilei/ })).toBeVisible()
  await expect(list.getByRole('heading')).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, 'Nickname').getByRole('cell', { name: 'On', exact: true })).toBeVisible()
  await open(page, 'Gender')
  await expect(dialog(page)).toContainText("It can't be unique: many people have the same value.")
  await page.keyboard.press('Escape')
  await open(page, 'Nickname')
  await dialog(page).getByRole('button', { name: 'Reset to default: Unique' }).click()
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
})

test('resetting a rule to its default keeps the focus in its field', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await open(page, 'Nickname')
  const required = dialog(page).getByRole('combobox', { name: 'Required' })
  await choose(required, 'Always')
  await dialog(page).getByRole('button', { name: 'Reset to default: Required' }).press('Enter')
  await expect(required).toContainText('Never')
  await expect(required).toBeFocused()
})

test('a field that administrators may no longer edit is closed in the form of a person at once', async ({
  page,
  logIn,
}) => {
  const menu = page.getByRole('navigation', { name: 'Back-office menu' })
  const edit = async () => {
    await page.getByRole('button', { name: 'dean', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Edit', exact: true }).click()
  }
  await logIn(page, 'root', '/auth_web/manage/organization')
  await edit()
  const phone = dialog(page)
    .last()
    .getByLabel(/^Phone/)
  await expect(phone).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await menu.locator('a[href="/auth_web/manage/account-field-rules"]').click()
  await open(page, 'Phone')
  await choose(dialog(page).getByRole('combobox', { name: 'Editable by' }), 'Source system')
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await menu.locator('a[href="/auth_web/manage/organization"]').click()
  await edit()
  await expect(phone).toBeDisabled({ timeout: 5000 })
})
