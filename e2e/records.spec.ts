import { readFile } from 'node:fs/promises'
import { violations } from './axe.ts'
import { choose } from './fields.ts'
import { expect, fillIn, test } from './fixtures.ts'

const RECORDS = '/auth_web/certification-record'

test('a person finds a refused attempt, filters the list, shares it, exports it and chooses its columns, by keyboard', async ({
  page,
  logIn,
}) => {
  await page.goto('/auth_web/')
  await fillIn(page, 'recorder', 'not the password')
  await expect(page.locator('.alert')).not.toBeEmpty()
  await logIn(page, 'recorder', `${RECORDS}/account`)
  const rows = page.getByRole('table', { name: 'Account authentication' }).locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Logged in')
  await expect(rows.first()).toContainText('This login')
  await expect(rows.last()).toContainText('Refused')
  await expect(rows.last()).toContainText('Wrong password')
  await expect(rows.first().locator('time').first()).toHaveAttribute('datetime', /Z$/)
  expect(await violations(page)).toEqual([])

  await choose(page.getByRole('combobox', { name: 'Result' }), 'Refused')
  await choose(page.getByRole('combobox', { name: 'Time' }), 'Today')
  await expect(page).toHaveURL(/result=0/)
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d/)
  await expect(rows).toHaveCount(1)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('combobox', { name: 'Time' })).toHaveText('Today')

  await page.getByRole('button', { name: 'Export' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^Account authentication \(filtered\) \d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('Login time (Asia/Shanghai)')
  expect(lines[1]).toContain('Wrong password')
  await expect(page.getByText('Saved as')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export' })).toBeFocused()

  await page.getByRole('button', { name: 'Remove filter Result: Refused' }).press('Enter')
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page).toHaveURL(/account$/)
  await page.getByLabel('Login name, device or application').fill('%')
  await expect(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await page.getByRole('button', { name: 'View' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'View' })
  await expect(dialog).toBeVisible()
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('IP address').press('Space')
  await dialog.getByLabel('Compact').press('Space')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByRole('columnheader', { name: 'IP address' })).toHaveCount(0)
  await page.reload()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('columnheader', { name: 'IP address' })).toHaveCount(0)

  await page.goto(`${RECORDS}/account-maintenance`)
  const changes = page.getByRole('table', { name: 'Account maintenance' })
  await expect(changes).toContainText('Records exported')
  await page.getByRole('button', { name: /^Details: Records exported/ }).press('Enter')
  await expect(changes).toContainText('Record ID')
  expect(await violations(page)).toEqual([])
})

test('"this wasn\'t me" ends the other login and leads to a new password', async ({ browser, page, school, logIn }) => {
  await logIn(page, 'recorder2')
  const theirs = await browser.newContext({
    baseURL: school.url,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  })
  const thief = await theirs.newPage()
  await logIn(thief, 'recorder2')
  await page.goto(`${RECORDS}/account`)
  const foreign = page.getByRole('row', { name: /iPhone/ })
  await expect(foreign).toContainText('New device')
  await foreign.getByRole('button', { name: /^This wasn't me/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: "This login wasn't you?" })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 other login ended')).toBeVisible()
  await expect(page).toHaveURL(/\/modify-password$/)
  await thief.goto('/auth_web/certification-record/account')
  await expect(thief).toHaveURL(/\/auth_web\/login\?service=/)
  await page.goto(`${RECORDS}/account-maintenance`)
  await expect(page.getByRole('row', { name: /Login reported/ })).toContainText('iPhone')
  await theirs.close()
})

test('on a phone, in Chinese, all records are cards and nothing scrolls sideways', async ({ browser, school }) => {
  const context = await browser.newContext({
    baseURL: school.url,
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await page.goto('/auth_web/')
  await fillIn(page, 'recorder3')
  const library = page.getByRole('link', { name: /Library/ }).first()
  const opened = context.waitForEvent('page')
  await library.click()
  await (await opened).close()

  for (const [path, title] of [
    ['current-login', '当前登录'],
    ['password', '密码维护'],
    ['account-maintenance', '账号维护'],
    ['application', '应用访问'],
    ['account', '账号认证'],
  ]) {
    await page.goto(`${RECORDS}/${path}`)
    await expect(page.getByRole('heading', { level: 1, name: title ?? '' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await violations(page, 'layout')).toEqual([])
  }
  const card = page.getByRole('list', { name: '账号认证' }).getByRole('article').first()
  await expect(card).toContainText('登录成功')
  await expect(card).toContainText('本次登录')
  await page.getByRole('button', { name: '筛选' }).click()
  await choose(page.getByRole('combobox', { name: '认证结果' }), '登录失败')
  await expect(page.getByRole('heading', { name: '没有符合条件的数据' })).toBeVisible()
  expect(await violations(page, 'layout')).toEqual([])
  await page.goto(`${RECORDS}/application`)
  await expect(page.getByRole('list', { name: '应用访问' }).getByRole('article').first()).toContainText('Library')
  await context.close()
})
