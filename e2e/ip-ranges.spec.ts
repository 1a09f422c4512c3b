import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/net-strategy'

test('a range is created with a warning, found by an address, rolled back by its history and deleted', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'New IP range' }).click()
  const form = page.getByRole('dialog', { name: 'New IP range' })
  await form.getByLabel('Name', { exact: true }).fill('Reading rooms')
  await form.getByLabel('Networks').fill('127.0.0.0/8\n10.1')
  await expect(form.getByText("“10.1” isn't a network")).toBeVisible()
  await form.getByLabel('Networks').fill('127.0.0.0/8\n10.1.0.1 - 10.1.0.2')
  await expect(form.getByText('127.0.0.0/8 is the local machine')).toBeVisible()
  const figure = form.getByRole('button', { name: /would be assigned to a different IP range or type/ })
  await figure.focus()
  await page.keyboard.press('Enter')
  const row = page
    .getByRole('dialog', { name: 'Logins assigned to a different IP range or type' })
    .getByRole('row')
    .nth(1)
  await expect(row).toContainText(/127\.0\.0\.1.*None.*This range \(Campus\)/)
  await page.keyboard.press('Escape')
  await expect(figure).toBeFocused()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“Reading rooms” saved')).toBeVisible()

  await page.getByRole('button', { name: 'Test an address' }).click()
  const tester = page.getByRole('dialog', { name: 'Which range is an address in?' })
  await expect(tester.getByText('Reading rooms', { exact: true })).toBeVisible()
  await expect(tester.getByText('Your address')).toBeVisible()
  await tester.getByLabel('IP address').fill('203.0.113.9')
  await expect(tester.getByText('Not in any range')).toBeVisible()
  await tester.getByLabel('IP address').fill('::ffff:10.1.0.2')
  await expect(tester.getByText('Because of 10.1.0.2/32')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Edit Reading rooms' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Reading rooms' })
  await choose(edit.getByRole('combobox', { name: 'Type' }), 'Other')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Reading rooms/ }).getByText('Other')).toBeVisible()

  await page.getByRole('button', { name: 'Reading rooms', exact: true }).click()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText('IP range changed')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Delete Reading rooms' }).click()
  await expect(page.getByRole('dialog').locator('.impact')).toContainText('If you delete it:')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('“Reading rooms” deleted')).toBeVisible()
  await expect(page.getByRole('row', { name: /Reading rooms/ })).toHaveCount(0)
})

test('a file is checked row by row before it is imported', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import IP ranges' })
  const file = (text: string) => ({ name: 'ranges.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles(file('name,kind,networks\nGym,campus,10.60.0.0/16\nHall,nowhere,10.61.0.0/16\n'))
  await expect(dialog.getByText('The type must be')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Import \d/ })).toHaveCount(0)
  await input.setInputFiles(file('name,kind,networks\nGym,campus,10.60.0.0/16\nHall,other,10.61.0.0/16\n'))
  await dialog.getByRole('button', { name: 'Import 2 ranges' }).click()
  await expect(page.getByText('Imported: 2 new, 0 changed')).toBeVisible()
  await expect(page.getByRole('row', { name: /Hall/ })).toBeVisible()
})
