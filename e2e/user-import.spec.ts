import { readFile } from 'node:fs/promises'
import type { FileChooser, Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const choose = async (page: Page, name: string, content: string | Buffer) =>
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

test('people are imported from a file: checked, corrected in the downloaded file, imported and undone', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/organization/import')
  await expect(page.getByRole('heading', { level: 1, name: 'Import people' })).toBeVisible()

  await choose(page, 'people.xlsx', '<html>no workbook</html>')
  await expect(page.getByRole('alert')).toContainText('neither an Excel workbook')
  const button = page.getByRole('button', { name: 'Choose a file' })
  await button.focus()
  await choose(page, 'people.xlsx', '<html>no workbook</html>')
  await expect(page.getByRole('alert')).toContainText('neither an Excel workbook')
  await expect(button).toBeFocused()

  const rows = [
    '0091001,Ann Import,Computer Science,F,13800009101',
    '0091002,Ben Import,cs,x,',
    '0091003,Cem Import,Nowhere,M,',
  ]
  await choose(page, 'people.csv', `Number,Name,Dept,Gender,Mobile,Remark\n${rows.join('\n')}\n`)
  await expect(page.getByRole('heading', { name: 'Match the columns' })).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Dept' })).toHaveText('Department')
  await expect(page.getByRole('combobox', { name: 'Remark' })).toHaveText("Don't import")
  await page.getByRole('button', { name: 'Check' }).click()

  await expect(page.getByRole('heading', { name: 'This is what the import would do' })).toBeFocused()
  await expect(page.getByText('Write male, female or unknown.')).toBeVisible()
  await expect(page.getByText('There is no department “Nowhere”')).toBeVisible()
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the bad rows' }).click(),
  ])
  const bad = await readFile(await report.path(), 'utf8')
  expect(bad.split(/\r?\n/)[0]).toContain('# Problem')

  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByRole('heading', { name: 'Import complete' })).toBeVisible()
  const address = page.url()

  await page.getByRole('button', { name: 'New import' }).click()
  await expect(page.getByRole('button', { name: 'Open people.csv' })).toBeVisible()
  await choose(page, 'corrected.csv', bad.replace('cs,x', 'cs,f').replace('Nowhere', 'cs'))
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByRole('heading', { name: 'Import complete' })).toBeVisible()

  await page.goto(address)
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'Import undone' })).toBeVisible()
  await expect(page.getByText('Undone: 1.')).toBeVisible()
})

test('rows that probably concern somebody else are excluded until accepted', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization/import')
  const importing = async (name: string, rows: string[]) => {
    await choose(page, name, ['Number,Name', ...rows].join('\n'))
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByRole('heading', { name: 'This is what the import would do' })).toBeFocused()
  }
  await importing('first.csv', ['0093001,Ann Taken', '0093002,Ben Taken'])
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByRole('heading', { name: 'Import complete' })).toBeVisible()
  await page.getByRole('button', { name: 'New import' }).click()

  await importing('second.csv', ['0093001,Cem Other', '0093002,Dan Other', '0093003,Eve New'])
  const doubtful = page.getByRole('region', { name: 'Probably someone else' })
  await expect(doubtful.getByText('2 rows have the account of someone with a different name')).toBeVisible()
  await expect(doubtful.getByText('Ann Taken')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeVisible()
  await doubtful.getByRole('checkbox', { name: 'Row 3' }).check()
  await doubtful.getByRole('button', { name: 'Same person: import' }).click()
  await expect(doubtful.getByRole('row', { name: /Row 3|Dan Other/ })).toContainText('Same person: will be imported')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('2 rows imported.')).toBeVisible()
})

/** Until the page has focused its title, a key may reach that instead. */
async function chosenByKey(page: Page, button: Locator): Promise<FileChooser> {
  let chooser: FileChooser | undefined
  await expect(async () => {
    const opened = page.waitForEvent('filechooser', { timeout: 2000 })
    await Promise.all([opened, button.press('Enter')])
    chooser = await opened
  }).toPass()
  if (!chooser) throw new Error('no file can be chosen')
  return chooser
}

test('导入人员：只用键盘', async ({ browser, logIn }) => {
  const context = await browser.newContext({ locale: 'zh-CN' })
  const page = await context.newPage()
  await logIn(page, 'root', '/auth_web/manage/organization/import')
  const file = page.getByRole('button', { name: '选择文件' })
  const chooser = await chosenByKey(page, file)
  // GB 18030, as saved by an older Excel.
  const gb = Buffer.from('d1a7bac52cd0d5c3fb0a303039323030312cd5c5c8fd0a', 'hex')
  await chooser.setFiles({ name: '人员.csv', mimeType: 'text/csv', buffer: gb })
  await expect(page.getByRole('heading', { name: '每一列是什么？' })).toBeFocused()
  await expect(page.getByText('GB18030')).toBeVisible()
  await page.getByRole('button', { name: '开始校验' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '导入后将会这样' })).toBeFocused()
  for (
    let tabs = 0;
    tabs < 3 &&
    !(await page.getByRole('button', { name: '导入 1 行' }).evaluate((one) => one === document.activeElement));
    tabs++
  ) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '导入完成' })).toBeVisible()
  await expect(page.getByText('已导入 1 行。')).toBeVisible()
  await context.close()
})
