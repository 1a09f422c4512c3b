import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { topDialog } from './dialogs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

// Custom fields would affect the people of other journeys.
test.use({ login: { trustedBrowserDays: 28 } })

const fieldRow = (page: Page) => page.getByRole('row', { name: /^Dorm room/ })

/** A text that people edit themselves: a letter and three digits. */
async function define(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New field' }).click()
  await topDialog(page).getByLabel('Name', { exact: true }).fill('Dorm room')
  await topDialog(page).getByLabel('Key').fill('dormRoom')
  await choose(topDialog(page).getByRole('combobox', { name: 'Editable by' }), 'The person')
  await choose(topDialog(page).getByRole('combobox', { name: 'Format' }), 'Custom pattern')
  await topDialog(page).getByLabel('Pattern').fill('[A-Z]-\\d{3}')
  await topDialog(page).getByLabel('Try a value').fill('12')
  await expect(topDialog(page)).toContainText('This value is not accepted: Invalid format.')
  await topDialog(page).getByLabel('Try a value').fill('B-107')
  await expect(topDialog(page)).toContainText('This value is accepted.')
  await topDialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(fieldRow(page)).toContainText('dormRoom')
}

async function importFile(page: Page, content: string): Promise<void> {
  await page.goto('/auth_web/manage/organization/import')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'rooms.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await expect(page.getByRole('combobox', { name: 'Dorm room' })).toHaveText('Dorm room')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByRole('heading', { name: 'Import complete' })).toBeVisible()
}

test('a custom field is defined, filled in by people and by a file, searched, exported, and permanently deleted', async ({
  page,
  browser,
  school,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/account-field-rules?tab=custom')
  await define(page)

  const outside = await browser.newContext({ baseURL: school.url })
  const own = await outside.newPage()
  await logIn(own, 'lilei', '/auth_web/personal-data')
  const section = own.getByRole('form', { name: 'Dorm room' })
  await section.getByLabel('Value').fill('B-107')
  await section.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(own.getByText('Saved.')).toBeVisible()
  await outside.close()

  await importFile(page, 'Number,Name,Dorm room\n0092001,Dora Import,C-201\n')
  await page.goto(`/auth_web/manage/organization?${new URLSearchParams({ 'custom.dormRoom': 'B-107' })}`)
  await expect(page.getByRole('row').filter({ hasText: 'lilei' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '0092001' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV file' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^People \(filtered\) \d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toMatch(/Dorm room[\s\S]*lilei.*B-107/)

  await page.goto('/auth_web/manage/account-field-rules?tab=custom')
  await page.getByRole('button', { name: 'Remove Dorm room' }).click()
  await expect(topDialog(page)).toContainText('2 people have a value for it.')
  await topDialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(fieldRow(page)).toContainText('Removed')
  const { width, height } = page.viewportSize() ?? { width: 1366, height: 768 }
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Restore Dorm room', 'Delete Dorm room permanently']) {
    const rightEdge = async () => {
      const { x = 0, width: wide = 999 } = (await page.getByRole('button', { name }).boundingBox()) ?? {}
      return x + wide
    }
    await expect.poll(rightEdge, `${name} on a phone`).toBeLessThanOrEqual(390)
  }
  await page.setViewportSize({ width, height })
  await page.getByRole('button', { name: 'Delete Dorm room permanently' }).click()
  await expect(topDialog(page)).toContainText('The values of 2 people are deleted.')
  await topDialog(page).getByRole('button', { name: 'Delete permanently' }).click()
  await expect(topDialog(page)).toContainText('2 of 2')
  await page.keyboard.press('Escape')
  await expect(page.getByText('No custom fields yet.')).toBeVisible()
  const [left] = await school.sql`select count(*)::int as count from users where custom_values is not null`
  expect(left).toEqual({ count: 0 })
})

test('by keyboard a field is moved, its new place is announced, and the focus stays; each choice is a group', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/account-field-rules?tab=custom')
  const add = async (name: string, key: string) => {
    await page.getByRole('button', { name: 'New field' }).click()
    await topDialog(page).getByLabel('Name', { exact: true }).fill(name)
    await topDialog(page).getByLabel('Key').fill(key)
    await topDialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(topDialog(page)).toHaveCount(0)
  }
  await add('Shoe size', 'shoeSize')
  await add('Hat size', 'hatSize')
  const names = page.getByRole('table', { name: 'Custom fields' }).getByRole('rowheader')
  const count = await names.count()
  const up = page.getByRole('button', { name: 'Move up: Hat size' })
  for (let position = count - 1; position > 0; position -= 1) {
    await up.press('Enter')
    await expect(page.getByText(`Hat size is now number ${position} of ${count}`)).toBeAttached()
    await expect(up).toBeFocused()
  }
  await expect(names.first()).toHaveText('Hat size')
  await expect(up).toHaveAttribute('aria-disabled', 'true')

  // Two quick presses save once, and whoever has moved on meanwhile stays there.
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/account_field_rules/update/**', async (route) => {
    await held
    await route.fallback()
  })
  let saves = 0
  page.on('request', (request) => {
    if (request.url().includes('/account_field_rules/update/')) saves += 1
  })
  const down = page.getByRole('button', { name: 'Move down: Hat size' })
  await down.press('Enter')
  await down.press('Enter')
  const tab = page.getByRole('tab', { name: 'Custom fields' })
  await tab.focus()
  release()
  await expect(page.getByText(`Hat size is now number 2 of ${count}`)).toBeAttached()
  await expect(names.nth(1)).toHaveText('Hat size')
  await expect(tab).toBeFocused()
  expect(saves).toBe(1)

  await page.getByRole('button', { name: 'New field' }).click()
  await choose(topDialog(page).getByRole('combobox', { name: 'Type' }), 'Choice')
  await topDialog(page).getByRole('button', { name: 'Add choice' }).click()
  await topDialog(page).getByRole('button', { name: 'Add choice' }).click()
  const second = topDialog(page).getByRole('group', { name: 'Choice 2' })
  await second.getByLabel('Name', { exact: true }).fill('Large')
  await expect(topDialog(page).getByRole('group', { name: 'Choice 2 Large' }).getByLabel('Code')).toBeVisible()
})
