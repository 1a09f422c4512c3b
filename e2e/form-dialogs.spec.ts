import { callerAs } from './back-office.ts'
import { topDialog } from './dialogs.ts'
import { expect, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'

test('a form that is being saved stays open on Escape, and shows the refusal with what was typed', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  await page.getByRole('button', { name: 'New IP range' }).first().click()
  const form = page.getByRole('dialog', { name: 'New IP range' })
  const name = form.getByLabel('Name', { exact: true }).first()
  await name.fill('Reading room')
  const release = await holdFirst(page, '**/ip_range/create/**')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  // Browsers let a page keep its dialog only once in a row.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Cancel' }).click({ force: true })
  await expect(form).toBeVisible()
  release()
  await expect(form.locator('[aria-invalid=true]').first()).toBeFocused()
  await expect(name).toHaveValue('Reading room')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
})

test('a deletion that is being asked for stays open on Escape, shows the refusal, and can then be tried again', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  const range = { name: 'Old lab', kind: 'other', networks: ['198.51.100.128/25'] }
  const { id, version } = await call('/ip_range/create/', range)
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  await page.getByRole('button', { name: 'Delete Old lab' }).click()
  await call(`/ip_range/${id}/update/`, { ...range, name: 'New lab', version })
  const release = await holdFirst(page, '**/ip_range/*/delete/**')
  const dialog = topDialog(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
  release()
  await expect(dialog.getByRole('alert')).toContainText('confirm again')
  await expect(dialog.getByRole('row').nth(1)).toContainText(/Name.*Old lab.*New lab/)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('“Old lab” deleted')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete New lab' })).toHaveCount(0)
})

test('a form can be left while its request hangs, and a refusal is told on the page', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  await page.getByRole('button', { name: 'New IP range' }).first().click()
  const form = page.getByRole('dialog', { name: 'New IP range' })
  await form.getByLabel('Name', { exact: true }).first().fill('Reading room')
  const release = await holdFirst(page, '**/ip_range/create/**')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form.getByText('Saving…')).toBeVisible()
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Leave while it is being saved?' })
  await question.getByRole('button', { name: 'Keep waiting' }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(form).toHaveCount(0)
  release()
  await expect(page.locator('.notice')).toContainText("“New IP range” didn't go through. “Networks” can't be used:")
})

test('a question can be left while its request hangs, and the list shows what became of it', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  await call('/ip_range/create/', { name: 'Cellar', kind: 'other', networks: ['198.51.100.64/26'] })
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  await page.getByRole('button', { name: 'Delete Cellar' }).click()
  const release = await holdFirst(page, '**/ip_range/*/delete/**')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog.getByText('Working…')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'New IP range' }).first().click()
  release()
  await expect(page.getByText('“Cellar” deleted').first()).toBeVisible()
  // What was opened in the meantime stays open.
  await expect(page.getByRole('dialog', { name: 'New IP range' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Delete Cellar' })).toHaveCount(0)
})

test('a role is not deleted before it can be seen what goes with it', async ({ page, logIn, school }) => {
  const call = await callerAs(school.url, 'root')
  await call('/role/create/', { code: 'shortlived', name: 'Short-lived' })
  await logIn(page, 'root', '/auth_web/manage/role-manage')
  const release = await holdFirst(page, '**/role/*/impact/**')
  await page.getByRole('button', { name: 'Delete Short-lived' }).click()
  const ask = topDialog(page)
  const remove = ask.getByRole('button', { name: 'Delete', exact: true })
  await remove.click({ force: true })
  await expect(ask).toBeVisible()
  await expect(remove).toBeDisabled()
  release()
  await expect(ask.getByText('It has no members.')).toBeVisible()
  await remove.click()
  await expect(page.getByText('Role Short-lived deleted')).toBeVisible()
})

test('what was typed into a small form is not lost without asking', async ({ page, logIn }) => {
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const form = topDialog(page)
  const stays = async (label: string, text: string) => {
    const field = form.getByLabel(label, { exact: true })
    await field.fill(text)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(field).toHaveValue(text)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave without saving' }).click()
  }
  await logIn(page, 'root', '/auth_web/manage/application-manage')
  await page.getByRole('button', { name: 'Categories', exact: true }).click()
  await page.getByRole('button', { name: 'New category' }).click()
  await stays('Code', 'half-typed')
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Library/ })
    .getByRole('button', { name: /^More/ })
    .click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await stays('Name', 'Second library')
})

test('a reason that was typed for an action on a person is not lost without asking', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=pupil')
  await page.getByRole('checkbox', { name: /pupil/ }).check()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lock', exact: true }).click()
  const form = page.getByRole('dialog').first()
  await form.getByLabel('Reason').fill('Lost card')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await expect(form.getByLabel('Reason')).toHaveValue('Lost card')
})

test('the button below an activation link stays where it is when the QR code arrives', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  await call('/user_information/create/', { account: 'linked', name: 'Person linked' })
  await logIn(page, 'root', '/auth_web/manage/organization?search=linked')
  await page.getByRole('button', { name: 'linked', exact: true }).click()
  await page.locator('dialog.drawer').getByRole('button', { name: 'Reset account', exact: true }).click()
  const release = await holdFirst(page, '**/*QrCode*.js')
  const dialog = topDialog(page)
  await dialog.getByRole('button', { name: 'Reset account' }).click()
  const button = dialog.getByRole('button', { name: 'I have copied it' })
  await expect(button).toBeVisible()
  const before = await button.boundingBox()
  release()
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  expect(await button.boundingBox()).toEqual(before)
  await button.click()
})

test('the tabs of a person stay where they are when the answer arrives that nothing prevents a login', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=recorder3')
  const release = await holdFirst(page, '**/login_check/**')
  await page.getByRole('button', { name: 'recorder3', exact: true }).click()
  const tab = page.getByRole('tab', { name: 'Current logins' })
  const answer = page.getByText('Nothing prevents them from logging in.')
  await expect(tab).toBeVisible()
  await expect(answer).toBeHidden()
  const before = await tab.boundingBox()
  release()
  await expect(answer).toBeVisible()
  expect(await tab.boundingBox()).toEqual(before)
})

test('figures above the grants of an application keep their room, and an effect that is unknown says so', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/application-manage')
  const release = await holdFirst(page, '**/application_grant/to_application/**')
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await page.getByRole('tab', { name: 'Access', exact: true }).click()
  const withdraw = page.getByRole('button', { name: 'Withdraw: Library · Library users', exact: true })
  await expect(withdraw).toBeVisible()
  const before = await withdraw.boundingBox()
  release()
  await expect(page.locator('.access-figures')).toContainText(/\d/)
  expect(await withdraw.boundingBox()).toEqual(before)
  await page.route('**/application_grant/impact/**', (route) => route.abort())
  await withdraw.click()
  const text = "Couldn't calculate who gains or loses Library."
  await expect(topDialog(page).getByText(text)).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Cancel' }).click()
})
