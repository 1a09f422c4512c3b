import { expect, test } from './fixtures.ts'
import { seeLoginError } from './login-error.ts'

const PAGE = '/auth_web/manage/language-list'
const KEY = 'errors.sign-in.refused'
const OWN = '学号或密码不对，请在 {{minutes}} 分钟后再试。'

test('the login error is reworded in the list, shown on the login page, and reset', async ({
  page,
  browser,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('searchbox').fill(KEY)
  const row = page.getByRole('row', { name: new RegExp(KEY) })
  // The languages stand side by side.
  const top = async (name: RegExp) => (await row.getByRole('button', { name }).boundingBox())?.y
  expect(await top(/Edit 繁體中文/)).toBe(await top(/Edit 简体中文/))
  await row.getByRole('button', { name: /Edit 简体中文/ }).click()
  const field = page.getByRole('textbox', { name: `Text of ${KEY}` })
  await expect(field).toBeFocused()
  await field.fill('学号或密码不对，<b>请</b>再试。')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Markup is not allowed' })).toBeVisible()
  await field.fill(OWN)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Text saved')).toBeVisible()
  await expect(row.getByText('Customised')).toBeVisible()

  await seeLoginError(browser, '学号或密码不对')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Change undone')).toBeVisible()
  await expect(row.getByText('Customised')).toHaveCount(0)
})

test('a long key ends its lines after a dot or a hyphen, never within a word', async ({ page, logIn }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await logIn(page, 'root', `${PAGE}?search=access-rule.administrators.hint`)
  const key = page.getByRole('row', { name: /access-rule\.administrators\.hint/ }).locator('code')
  const lines = await key.evaluate((code) => {
    const words = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    const found: { word: string; lines: number }[] = []
    const range = document.createRange()
    while (words.nextNode()) {
      const node = words.currentNode as Text
      for (const { 0: word, index } of node.data.matchAll(/\w+/g)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        found.push({ word, lines: range.getClientRects().length })
      }
    }
    return found
  })
  expect(lines).toEqual(['access', 'rule', 'administrators', 'hint'].map((word) => ({ word, lines: 1 })))
})

test('a text of the portal changes on an open page, and is rolled back from its history', async ({ page, logIn }) => {
  await logIn(page, 'root', `${PAGE}?open=language-list.title`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: /Edit English/ }).click()
  await drawer.getByRole('textbox').fill('Words of the school')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Words of the school', includeHidden: true }).first()).toBeAttached()
  await drawer.getByRole('tab', { name: 'History' }).click()
  await expect(drawer.getByText('Text changed')).toBeVisible()
  await drawer.getByRole('tab', { name: 'Texts' }).click()
  await drawer.getByRole('button', { name: /Edit English/ }).click()
  await drawer.getByRole('button', { name: 'Reset to default' }).click()
  await expect(page.getByText('Text reset to default')).toBeVisible()
})
