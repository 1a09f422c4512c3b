import { callerAs } from './back-office.ts'
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
  const dialog = page.getByRole('dialog').last()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
  release()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete New lab' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('“New lab” deleted')).toBeVisible()
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
