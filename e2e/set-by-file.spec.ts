import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** One key for each kind of field. */
const SET = {
  lockMinutes: 20,
  passwordLevel: 2,
  onMoreSessions: 'refuse',
  secondFactorOffCampus: false,
  captchaOn: ['login'],
  rememberMeLongSecond: 86_400,
  dormantWarnDays: [10, 2],
  passwordBlockWords: ['gatehouse'],
  dormantExemptCategories: ['student'],
  passwordRules: [{ categories: ['student'], administrators: false, minLength: 10 }],
  retention: { login: 400, visit: 400, audit: 400 },
}
test.use({ login: SET })

const PAGE = '/auth_web/manage/login-config'

/** The keys whose fields the Tab key reaches, from the first field to the last. */
async function keysByTab(page: Page): Promise<Set<string>> {
  const keys = new Set<string>()
  await page.getByRole('searchbox', { name: 'Find a rule' }).focus()
  for (let presses = 0; presses < 300; presses += 1) {
    await page.keyboard.press('Tab')
    const key = await page.evaluate(() => {
      const { activeElement } = document
      if (!activeElement?.closest('.policy')) return null
      // A reset is not the field.
      const field = activeElement.closest('.policy-default')
        ? null
        : activeElement.closest<HTMLElement>('.policy-field')
      return field?.dataset['key'] ?? ''
    })
    if (key === null) break
    keys.add(key)
  }
  return keys
}

test('login rules of the bootstrap file are reached by the Tab key, described by the reason, and stay as they are', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await expect(page.locator('.policy-field').first()).toBeVisible()
  const reached = await keysByTab(page)
  for (const key of [...Object.keys(SET), 'secondFactorSuperUsers']) {
    expect([key, reached.has(key)]).toEqual([key, true])
    const field = page.locator(`.policy-field[data-key="${key}"]`)
    await expect(field.locator(':disabled')).toHaveCount(0)
    const controls = field.locator('input, textarea, [role=combobox], button')
    for (const control of await controls.all())
      await expect(control).toHaveAccessibleDescription(/Set by the bootstrap file.*Change it in the file/)
  }
  const inField = (key: string) => page.locator(`.policy-field[data-key="${key}"]`)
  const minutes = inField('lockMinutes').getByRole('textbox')
  await minutes.focus()
  await page.keyboard.type('9')
  await expect(minutes).toHaveValue('20')
  const campus = inField('secondFactorOffCampus').getByRole('switch')
  await campus.press('Space')
  await expect(campus).not.toBeChecked()
  const recovery = inField('captchaOn').getByRole('checkbox').nth(1)
  await recovery.press('Space')
  await expect(recovery).not.toBeChecked()
  const more = inField('onMoreSessions').getByRole('combobox')
  const chosen = await more.textContent()
  for (const key of ['ArrowLeft', 'ArrowRight', 'Enter', 'E']) await more.press(key)
  await expect(more).toHaveText(chosen ?? '')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await inField('passwordRules').getByRole('button', { name: 'Add rule' }).press('Enter')
  await expect(page.locator('.save-bar')).toHaveCount(0)
})

test('after saving the focus is at what was changed, however it was saved', async ({ page, logIn }) => {
  await logIn(page, 'root', PAGE)
  const history = page.getByLabel('Password history', { exact: true })
  await history.fill('4')
  // By keyboard one comes from the last field of the page.
  await page.locator('.record-months-table').focus()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  for (let presses = 0; presses < 20 && !(await save.evaluate((one) => one === document.activeElement)); presses += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(history).toBeFocused()
  await history.fill('5')
  await save.click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(history).toBeFocused()
  // Changed again after another one: the number of changes stays the same.
  await history.fill('6')
  await page.getByLabel('Minimum password length', { exact: true }).fill('11')
  await history.fill('7')
  await save.click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(history).toBeFocused()
})
