import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { openTestMailbox, type TestMailbox } from './test-mailbox.ts'

type Site = Gatehouse & { testMailbox: TestMailbox }

const person = (account: string, more: object = {}) => ({
  account,
  name: `Person ${account}`,
  password: PASSWORD,
  ...more,
})

async function openServer(): Promise<Site> {
  const testMailbox = await openTestMailbox()
  const users = [
    person('lilei', { phone: '13800001234', mailbox: 'lilei@example.edu' }),
    person('hanmeimei', { mailbox: 'han@example.edu' }),
    person('zhangsan', { phone: '13800001236' }),
    person('lisi'),
  ]
  const gatehouse = await startGatehouse({ bootstrap: { users, settings: testMailbox.settings } })
  const stop = async () => {
    await gatehouse.stop()
    await testMailbox.close()
  }
  return { ...gatehouse, testMailbox, stop }
}

const test = testWithServer('account security', openServer)

test.describe.configure({ mode: 'default' })

async function enter(page: Page, account: string): Promise<void> {
  await page.goto('/auth_web/account-security')
  await fillIn(page, account)
  await page.waitForURL('**/account-security/set-account')
  await expect(page.locator('.security-row').first()).toBeVisible()
}

const dialog = (page: Page) => page.getByRole('dialog')
const focused = (page: Page) => page.locator(':focus')

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let stops = 0; stops < 40; stops++) {
    await page.keyboard.press('Tab')
    const found = focused(page).and(page.getByRole('button', { name }).or(page.getByRole('link', { name })))
    if ((await found.count()) > 0) return
  }
  throw new Error(`no ${name} within 40 stops`)
}

test('by keyboard alone: reauthenticate by mail, bind another phone, and return to the row', async ({
  page,
  server,
}) => {
  const { testMailbox } = server
  await enter(page, 'lilei')
  expect(await violations(page)).toEqual([])
  await tabTo(page, 'Change phone')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText("Verify it's you")
  await expect(page.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('The password is wrong.')
  expect(await violations(page)).toEqual([])

  await tabTo(page, 'Try another method')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('138****1234')
  expect(await violations(page)).toEqual([])
  await tabTo(page, /l\*\*\*@example\.edu/)
  await page.keyboard.press('Enter')
  await tabTo(page, 'Send code')
  await page.keyboard.press('Enter')
  const proof = await testMailbox.codeMailedTo('lilei@example.edu')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type(proof)
  await page.keyboard.press('Enter')

  await expect(page.getByLabel('New phone number')).toBeFocused()
  await expect(dialog(page)).toContainText('replaces 138****1234')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('Please enter a valid phone number.')
  await expect(page.getByLabel('New phone number')).toBeFocused()
  await page.keyboard.type('139 0000 5678')
  expect(await violations(page)).toEqual([])
  await tabTo(page, 'Send code')
  await page.keyboard.press('Enter')
  const code = await testMailbox.codeTextedTo('+8613900005678')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText(/code is wrong|wrong/i)
  await page.getByLabel('Verification code').fill(`Your code is ${code.slice(0, 3)} ${code.slice(3)}`)
  await page.keyboard.press('Enter')

  await expect(page.getByText('Phone added')).toBeVisible()
  await expect(page.locator('.security-row').filter({ hasText: 'Phone' })).toContainText('139****5678')
  await expect(page.getByRole('button', { name: 'Change phone' })).toBeFocused()
  expect((await testMailbox.smsTo('+8613800001234')).text).toContain('the phone number was changed')

  // The proof stays valid for the next change.
  await tabTo(page, 'Change email address')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('New email address')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Change email address' })).toBeFocused()
})

test('在 390 像素的手机上：按建议设置安全问题，设置并删除别名，解绑前告知后果', async ({ browser, server }) => {
  const context = await browser.newContext({
    locale: 'zh-CN',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
    baseURL: server.url,
  })
  const page = await context.newPage()
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await enter(page, 'hanmeimei')
  await expect(page.getByText('建议绑定手机')).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(await overflow()).toBeLessThanOrEqual(0)

  await page.getByRole('button', { name: '设置安全问题' }).click()
  await page.getByLabel('您的密码').fill(PASSWORD)
  await dialog(page).getByRole('button', { name: '验证' }).click()
  for (const at of [0, 1, 2]) {
    await dialog(page).getByRole('combobox').nth(at).click()
    await page.getByRole('option').nth(1).click()
    await page
      .locator('dialog input')
      .nth(at)
      .fill(at === 2 ? '红山小学' : '红山')
  }
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await expect(dialog(page)).toContainText('每个问题的答案不能相同。')
  expect(await violations(page)).toEqual([])
  await page.locator('dialog input').nth(1).fill('小白')
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('设置成功：安全问题')).toBeVisible()
  await expect(page.getByText('已设置 3 个问题')).toBeVisible()

  await page.getByRole('button', { name: '设置登录别名' }).click()
  await page.getByLabel('新别名').fill('13800001234')
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await expect(dialog(page)).toContainText('别名还不符合全部要求。')
  await page.getByLabel('新别名').fill('ＬＩＬＥＩ')
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await expect(dialog(page)).toContainText('该别名已被占用，请换一个。')
  await expect(page.getByLabel('新别名')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('新别名').fill('Han.Meimei')
  await page.keyboard.press('Enter')
  await expect(page.locator('.security-row').last()).toContainText('han.meimei')

  await page.getByRole('button', { name: '修改登录别名' }).click()
  await page.getByRole('button', { name: '删除此别名' }).click()
  await expect(dialog(page)).toContainText('删除别名 han.meimei？')
  await expect(page.getByRole('button', { name: '取消' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('登录别名已删除')).toBeVisible()
  await expect(page.getByRole('button', { name: '设置登录别名' })).toBeFocused()
  await context.close()
})

/** Expires the proof of identity, as ten minutes would. */
async function runOut(page: Page): Promise<void> {
  const once = (path: string, status: number, answer: object) =>
    page.route(path, (route) => route.fulfill({ status, json: { state: status, message: '', ...answer } }), {
      times: 1,
    })
  await once('**/unbind/?*', 409, { code: 'reauthentication.required', data: null })
  const methods = [{ method: 'password', hint: '' }]
  await once('**/reauthentication/query/?*', 200, { data: { freshUntil: null, methods } })
}

test('the last recovery method is removed only after a warning, even if the reauthentication has expired', async ({
  page,
}) => {
  await enter(page, 'zhangsan')
  await page.getByRole('button', { name: 'Change phone' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove this phone' }).click()
  await expect(dialog(page)).toContainText('Remove the phone 138****1236?')
  await expect(dialog(page)).toContainText('This is your last way back in')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await runOut(page)
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  // Asked over the open dialog, which then continues.
  await page.getByLabel('Your password').fill(PASSWORD)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Unbind successfully: phone')).toBeVisible()
  await expect(page.getByText('Add your phone')).toBeVisible()
})

test('a new password: the reason for each refusal is shown, other logins end, and this page stays logged in', async ({
  browser,
  page,
  server,
}) => {
  const elsewhere = await (await browser.newContext({ baseURL: server.url })).newPage()
  await enter(elsewhere, 'lisi')
  await enter(page, 'lisi')
  await page.goto('/auth_web/my-apps')
  await expect(page.getByText('It lets you reset your password yourself if you forget it.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Add it now' }).click()
  await expect(page.getByRole('heading', { name: 'Security settings' })).toBeFocused()
  await page.goto('/auth_web/modify-password')
  const submit = page.getByRole('button', { name: 'Change password' })
  await expect(submit).toBeVisible()
  expect(await violations(page)).toEqual([])
  await submit.click()
  await expect(page.getByText('Please enter your current password.')).toBeVisible()
  await expect(page.getByLabel('Current password')).toBeFocused()
  const type = async (old: string, next: string) => {
    await page.getByLabel('Current password').fill(old)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('Confirm new password').fill(next)
    await submit.click()
  }
  // Every kind of character, but well known: what will be refused is never called strong.
  await page.getByLabel('New password', { exact: true }).fill('Password1!')
  await expect(page.getByText('Strength: weak')).toBeVisible()
  await expect(page.getByText('not a commonly used password (not met)')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await type('not the one', 'Quiet-lake-7731')
  await expect(page.getByText('The current password is wrong.')).toBeVisible()
  await type(PASSWORD, PASSWORD)
  await expect(page.getByText('Please choose another password: not one of your last 5 passwords')).toBeVisible()
  // The focus moves by itself; typing earlier would miss the field.
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await expect(page.getByText('Strength: strong')).toBeVisible()
  await type(PASSWORD, 'Quiet-lake-7731')
  await expect(page.getByRole('heading', { name: 'Password modified successfully' })).toBeFocused()
  await expect(page.getByText('1 other login ended.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to account security' }).click()
  await expect(page.locator('.security-row').first()).toContainText('Last changed')
  await elsewhere.reload()
  await expect(elsewhere.locator('#username')).toBeVisible()
})
