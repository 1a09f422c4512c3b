import { readFileSync } from 'node:fs'
import { expect, PASSWORD, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/language-list'

const shipped = JSON.parse(readFileSync(new URL('../shared/locales/en.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

/** What Arabic needs before it is offered, with a word of it in front of each text, as a translator's file. */
function sheet(): string {
  const rows = Object.entries(shipped).flatMap(([key, text]) => {
    if (!/^(login|light|errors)\./.test(key) || key.endsWith('_one')) return []
    const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => key.replace(/_other$/, `_${form}`))
    return (key.endsWith('_other') ? forms : [key]).map((one) => [one, `ع ${text}`])
  })
  const cells = [['key', 'ar', 'ar version'], ...rows.map((row) => [...row, '0'])]
  return cells.map((row) => row.map((cell) => `"${cell?.replaceAll('"', '""')}"`).join(',')).join('\r\n')
}

test('a language is added, its sheet imported, switched on, logged in with from right to left, and taken back', async ({
  page,
  browser,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Languages', exact: true }).click()
  await page.getByRole('button', { name: 'Add language' }).click()
  await page.getByRole('textbox', { name: 'Language tag' }).fill('ar')
  await expect(page.getByRole('textbox', { name: 'Name in the language itself' })).toHaveValue('العربية')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'العربية' })
  await expect(row.getByText('Off', { exact: true })).toBeVisible()
  await page.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const file = { name: 'ar.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${sheet()}`) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: /^Import [\d,]+ texts/ }).click()
  await expect(page.getByText(/Texts imported/).first()).toBeVisible()
  await page.keyboard.press('Escape')

  const setOffered = async () => {
    await page.getByRole('button', { name: 'Languages', exact: true }).click()
    await row.getByRole('button', { name: 'Edit العربية' }).click()
    await page.getByText('Offered to visitors').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await setOffered()
  await expect(row.getByText('On', { exact: true })).toBeVisible()

  const visitor = await browser.newContext({ locale: 'ar' })
  const login = await visitor.newPage()
  await login.goto('/auth_web/login')
  await expect(login.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(login.getByRole('heading', { level: 1 })).toHaveText('ع Log in')
  await login.locator('input[name=username]').fill('lilei')
  await login.locator('input[name=password]').fill(PASSWORD)
  await login.locator('input[name=password]').press('Enter')
  await login.waitForURL(/my-apps/)
  for (const address of ['my-apps', 'account-security', 'activation', 'forgot-password', 'personal-data']) {
    await login.goto(`/auth_web/${address}`)
    await expect(login.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(login.getByRole('heading', { level: 1 })).toBeVisible()
    const overflow = await login.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, address).toBeLessThanOrEqual(0)
  }
  await visitor.close()

  await page.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
  await setOffered()
  await row.getByRole('button', { name: 'Delete العربية' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0)
})
