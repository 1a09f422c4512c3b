import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { choose } from './fields.ts'
import { expect, fillIn, testWithServer } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { openTestMailbox, type TestMailbox } from './test-mailbox.ts'

const NEW_PASSWORD = 'Wide-river-47'

const newcomer = (account: string, name: string, more: object = {}) => ({
  account,
  name,
  idNumber: `999999200102${account}`,
  activated: false,
  ...more,
})

type Site = Gatehouse & { testMailbox: TestMailbox }

async function openServer(): Promise<Site> {
  const testMailbox = await openTestMailbox()
  const users = [
    newcomer('20260001', '王芳', { mailbox: 'wangfang@example.edu' }),
    newcomer('20260002', '买买提·艾力', { mailbox: 'maimaiti@example.edu', phone: '13800005678' }),
    newcomer('20260003', '张伟'),
    newcomer('20260004', '李静'),
    newcomer('20260005', '赵敏'),
    newcomer('20260006', '周洁'),
  ]
  const settings = {
    ...testMailbox.settings,
    gateway: { contacts: { en: 'the help desk, room 101', zh_CN: '服务台 101 室' } },
  }
  const gatehouse = await startGatehouse({ bootstrap: { users, settings } })
  const stop = async () => {
    await gatehouse.stop()
    await testMailbox.close()
  }
  return { ...gatehouse, testMailbox, stop }
}

const test = testWithServer('activation', openServer)
test.describe.configure({ mode: 'default' })
const current = (page: Page) => page.locator('[aria-current=step]')
const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let stops = 0; stops < 40; stops += 1) {
    await page.keyboard.press('Tab')
    if (await isFocused(control)) return
  }
  throw new Error(`${control} is not within 40 stops`)
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }).first())
  await page.keyboard.type(text)
}

test('by keyboard alone: from the login page through every step, with a reload and a step back, to the first login', async ({
  page,
  server,
}) => {
  test.slow()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto('/auth_web/login?service=')
  await page.getByRole('link', { name: 'Activate your account' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activate your account')
  await expect(current(page)).toContainText('Your details')
  expect(await violations(page)).toEqual([])
  await tabTo(page, button('Next'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please fill this in.')).toHaveCount(3)
  await expect(page.getByLabel('Student or staff number')).toBeFocused()
  await page.keyboard.type('20260001')
  await typeInto(page, 'Name', '王 芳')
  await typeInto(page, 'ID number', '999999-200102-20260002')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText("These details don't match")
  await page.getByLabel('ID number').fill('999999-200102-20260001')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: "Verify it's you" })).toBeFocused()
  await expect(page.getByText('Email w***@example.edu')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await tabTo(page, button('Send code'))
  await page.keyboard.press('Enter')
  const code = await server.testMailbox.codeMailedTo('wangfang@example.edu')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeFocused()
  await page.reload()
  await expect(current(page)).toContainText('Password')
  expect(await violations(page)).toEqual([])
  await typeInto(page, 'New password', 'Gatehouse-1')
  await typeInto(page, 'Confirm new password', 'Gatehouse-1')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  for (const label of ['New password', 'Confirm new password'])
    await page.getByLabel(label, { exact: true }).fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Security questions' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await tabTo(page, button('Back'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Already set. Keep it or change it.')).toBeVisible()
  await expect(current(page)).toContainText('Password')
  await tabTo(page, button('Continue'))
  await page.keyboard.press('Enter')
  for (const [at, answer] of ['Red Hill', 'Snow', 'Chengdu'].entries()) {
    const question = page.getByRole('combobox', { name: 'Question', exact: true }).nth(at)
    await tabTo(page, question)
    await page.keyboard.press('ArrowDown')
    // Nothing is chosen yet, as the first option says.
    await expect(page.getByRole('option').first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(question).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.type(answer)
  }
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Add your phone' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await typeInto(page, 'Phone number', '139 0000 1111')
  await tabTo(page, button('Back'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Security questions' })).toBeFocused()
  await tabTo(page, button('Continue'))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Phone number')).toHaveValue('139 0000 1111')
  await tabTo(page, button('Send code'))
  await page.keyboard.press('Enter')
  const texted = await server.testMailbox.codeTextedTo('+8613900001111')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type(texted)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Everything is ready' })).toBeFocused()
  await expect(page.getByText('139****1111')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await tabTo(page, button('Activate the account'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your account is active' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  expect((await server.testMailbox.mailTo('wangfang@example.edu', 2)).mail.subject).toMatch(/activated/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your account is active' })).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: 'Log in' }))
  await page.keyboard.press('Enter')
  await fillIn(page, '13900001111', NEW_PASSWORD)
  await page.waitForURL('**/auth_web/my-apps')
})

test.describe('on a phone, in Chinese', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })

  test('choose where the code is sent, skip optional steps, and finish', async ({ page, server }) => {
    const next = page.getByRole('button', { name: '下一步' })
    await page.goto('/auth_web/activation')
    await page.getByLabel('学号/工号').fill('20260002')
    await page.getByLabel('姓名').fill('买买提艾力')
    await page.getByLabel('证件号码').fill('９９９９９９200102 20260002')
    await next.click()
    await expect(page.getByText('第 2 步，共 7 步')).toBeVisible()
    expect(await violations(page, 'layout')).toEqual([])
    await page.getByLabel('手机 138****5678').check()
    await page.getByRole('button', { name: '获取验证码' }).click()
    const code = await server.testMailbox.codeTextedTo('+8613800005678')
    await page.locator('input[autocomplete=one-time-code]').fill(`【学校】验证码 ${code.slice(0, 3)} ${code.slice(3)}`)
    await next.click()
    await page.getByLabel('新密码', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('再次输入新密码').fill(NEW_PASSWORD)
    expect(await violations(page, 'layout')).toEqual([])
    await next.click()
    await expect(page.getByRole('heading', { name: '设置安全问题' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: '跳过' }).click()
    // Both are on file, so neither is asked for.
    await expect(page.getByRole('heading', { name: '确认激活' })).toBeVisible()
    await expect(page.getByText('138****5678')).toBeVisible()
    expect(await violations(page, 'layout')).toEqual([])
    await page.getByRole('button', { name: '激活账号' }).click()
    await expect(page.getByRole('heading', { name: '激活成功' })).toBeVisible()
    expect(await violations(page, 'layout')).toEqual([])
  })
})

async function begin(page: Page, account: string, name: string, idNumber: string): Promise<void> {
  await page.goto('/auth_web/activation')
  await page.getByLabel('Student or staff number').fill(account)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('ID number').fill(idNumber)
  await page.getByRole('button', { name: 'Next' }).click()
}

test('after three mistakes the page solves a captcha in the background, unnoticed', async ({ page }) => {
  await begin(page, '20260003', '张伟', 'wrong')
  for (let mistakes = 1; mistakes < 4; mistakes += 1) {
    const alert = page.getByRole('alert')
    await expect(alert).toContainText("These details don't match")
    await page.getByLabel('ID number').fill(mistakes < 3 ? `wrong ${mistakes}` : '99999920010220260003')
    const answered = page.waitForResponse(/\/activate\/information\//)
    await page.getByRole('button', { name: 'Next' }).click()
    await answered
  }
  // How long a proof of work takes is chance, and on a busy machine more than other answers.
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible({ timeout: 60_000 })
})

test('the next person at the computer starts over, and no input of the previous one is left', async ({ page }) => {
  await begin(page, '20260004', '李静', '99999920010220260004')
  await expect(page.getByText('For 李静, 20260004')).toBeVisible()
  await page.getByRole('button', { name: 'Not you? Start over' }).click()
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeFocused()
  await expect(page.getByLabel('ID number')).toHaveValue('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
})

test('an activation ended elsewhere says so, with the reason and a contact', async ({ page, browser, server }) => {
  const data = ['20260005', '赵敏', '99999920010220260005'] as const
  await begin(page, ...data)
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  const elsewhere = await (await browser.newContext({ baseURL: server.url, locale: 'en' })).newPage()
  await begin(elsewhere, ...data)
  for (const label of ['New password', 'Confirm new password'])
    await elsewhere.getByLabel(label, { exact: true }).fill(NEW_PASSWORD)
  await elsewhere.getByRole('button', { name: 'Next' }).click()
  for (const title of ['Security questions', 'Add your phone', 'Add your email']) {
    await expect(elsewhere.getByRole('heading', { name: title })).toBeVisible()
    await elsewhere.getByRole('button', { name: 'Skip' }).click()
  }
  await elsewhere.getByRole('button', { name: 'Activate the account' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'Your account is active' })).toBeVisible()
  await elsewhere.close()
  for (const label of ['New password', 'Confirm new password'])
    await page.getByLabel(label, { exact: true }).fill('Other-tree-36')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Activation failed' })).toBeFocused()
  await expect(page.getByText(/Ask the help desk, room 101/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Start over' }).click()
  await begin(page, ...data)
  await expect(page.getByRole('alert')).toContainText('log in or reset your password')
})

test.describe('on a phone, where fields are required', () => {
  test.use({ locale: 'zh-TW', viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('what is required, also since the last step, is filled in before the account is active', async ({
    page,
    server,
  }) => {
    const publish = async (value: object) => {
      const stored = JSON.stringify(value)
      await server.sql`insert into settings (name, value, updated_at) values ('accountFields', ${stored}::text::jsonb, now())
        on conflict (name) do update set value = excluded.value`
      await server.sql`select pg_notify('gatehouse_cache', 'settings')`
    }
    const required = { 'gender.required': 'always', 'alias.required': 'activation' }
    await publish(required)
    const next = page.getByRole('button', { name: '下一步' })
    await page.goto('/auth_web/activation')
    await page.getByLabel('學號／教職員編號').fill('20260006')
    await page.getByLabel('姓名').fill('周洁')
    await page.getByLabel('證件號碼').fill('99999920010220260006')
    await next.click()
    await page.getByLabel('新密碼', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('再次輸入新密碼').fill(NEW_PASSWORD)
    await next.click()
    for (const title of ['設定安全問題', '綁定手機', '綁定電子信箱']) {
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await page.getByRole('button', { name: '略過' }).click()
    }
    await expect(page.getByRole('heading', { name: '補充資料' })).toBeFocused()
    await expect(page.getByRole('button', { name: '略過' })).toHaveCount(0)
    expect(await violations(page, 'layout')).toEqual([])
    const alias = page.getByLabel('登入別名')
    const save = (typed: string) => alias.fill(typed).then(() => next.click())
    const gender = page.getByRole('combobox', { name: '性別' })
    await choose(gender, '女')
    await save('1')
    await expect(alias).toHaveAttribute('aria-invalid', 'true')
    await save('zhou-jie')
    await expect(page.getByRole('heading', { name: '確認啟用' })).toBeVisible()
    await publish({ ...required, 'nickname.required': 'activation' })
    await page.getByRole('button', { name: '啟用帳號' }).click()
    await page.getByLabel('暱稱').fill('小洁')
    await choose(gender, '女')
    await save('zhou-jie')
    await page.getByRole('button', { name: '啟用帳號' }).click()
    await expect(page.getByRole('heading', { name: '啟用成功' })).toBeVisible()
  })
})
