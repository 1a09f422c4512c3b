import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { startCasService } from './cas-service.ts'
import { expect, PASSWORD, testWithServer } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { openTestMailbox, type TestMailbox } from './test-mailbox.ts'

const NEW_PASSWORD = 'Quiet-lake-7731'

const ANSWERS = [
  { question: 'first-school', answer: 'Red Hill' },
  { question: 'first-pet', answer: '小白' },
  { question: 'birth-town', answer: '成都' },
]

const person = (number: number, more: object = {}) => ({
  account: `student${number}`,
  name: `Student ${number}`,
  password: PASSWORD,
  phone: `1380000000${number}`,
  mailbox: `student${number}@example.edu`,
  ...more,
})

type Site = Gatehouse & { testMailbox: TestMailbox; library: string }

async function openServer(): Promise<Site> {
  const testMailbox = await openTestMailbox()
  let url = ''
  const library = await startCasService(() => url)
  const applications = [
    {
      appId: 'library',
      name: 'Library',
      protocol: 'cas',
      type: 'whitelist',
      url: library.url,
      serviceUrls: [`${library.url}**`],
    },
  ]
  const users = [
    person(1),
    person(2),
    person(3),
    person(4, { securityQuestions: ANSWERS }),
    person(5),
    person(6, { name: '王芳' }),
    person(7, { name: '李静' }),
  ]
  const settings = { ...testMailbox.settings, gateway: { contacts: { en: 'room 101', zh_CN: '服务台 101 室' } } }
  const gatehouse = await startGatehouse({ bootstrap: { users, applications, settings } })
  url = gatehouse.url
  const stop = async () => {
    await gatehouse.stop()
    await library.close()
    await testMailbox.close()
  }
  return { ...gatehouse, testMailbox, library: library.url, stop }
}

const test = testWithServer('codes', openServer)

test.describe.configure({ mode: 'default' })

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let stops = 0; stops < 40; stops += 1) {
    if (await isFocused(control)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${control} is not within 40 stops`)
}

const code = (page: Page) => page.locator('input[autocomplete=one-time-code]')
const password = (page: Page) => page.locator('input[autocomplete=new-password]')

async function sayWho(page: Page, account: string, name: string): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(account)
  await page.locator('input[autocomplete=name]').fill(name)
  await page.keyboard.press('Enter')
}

async function setPassword(page: Page): Promise<void> {
  await password(page).nth(0).fill(NEW_PASSWORD)
  await password(page).nth(1).fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(/forgot-password-success/)
}

test('a code by text message logs in, by keyboard alone, and the next login starts with that method', async ({
  page,
  server,
}) => {
  await page.goto('/auth_web/login')
  await expect(page.getByRole('link', { name: 'Password', exact: true })).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Shift+Tab')
  await tabTo(page, page.getByRole('link', { name: 'One-time code' }))
  await page.keyboard.press('Enter')
  expect(await violations(page)).toEqual([])
  const target = page.getByLabel('Phone number or email')
  await expect(target).toBeFocused()
  await page.keyboard.type('138 0000 0001')
  await tabTo(page, page.getByRole('button', { name: 'Send code' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /Resend in \d+ s/ })).toBeVisible()
  await expect(code(page)).toBeFocused()
  const sent = await server.testMailbox.codeTextedTo('+8613800000001')
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.locator('.alert')).toContainText('wrong or no longer valid')
  expect(await violations(page)).toEqual([])
  await page.keyboard.type(sent)
  await page.keyboard.press('Enter')
  await page.waitForURL(/my-apps/)

  await page.context().clearCookies({ name: /CASTGC|portal/ })
  await page.goto('/auth_web/login')
  await expect(code(page)).toBeVisible()
  await expect(page.getByRole('button', { name: /Resend in \d+ s/ })).toBeVisible()
})

test('the login page says where to look for a code that begins elsewhere', async ({ page }) => {
  const data = { secondsLeft: 60, expiresInSeconds: 300, channels: ['wecom', 'sms'] }
  await page.route('**/send_phonecaptcha/**', (route) => route.fulfill({ json: { state: 200, message: 'Done', data } }))
  await page.goto('/auth_web/login')
  await page.getByRole('link', { name: 'One-time code' }).click()
  await page.getByLabel('Phone number or email').fill('13800000001')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(code(page)).toHaveAccessibleDescription('Look for it in this order: WeCom, text messages.')
})

test('a recovery names the channel that its code is sent through first', async ({ page }) => {
  await page.route('**/password_recovery/begin/**', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    // The first answer asks for the security check.
    for (const one of json.data.methods ?? []) one.channels = one.method === 'mailbox' ? ['mail'] : ['wecom', 'sms']
    await route.fulfill({ response, json })
  })
  await page.goto('/auth_web/forgot-password')
  await sayWho(page, 'student3', 'student 3')
  await page.getByRole('button', { name: /WeCom or by text message Sent through WeCom first, then to 138\*/ }).click()
  await expect(page.getByRole('heading', { name: 'Enter the code from WeCom' })).toBeFocused()
  await expect(page.getByText('Sent through WeCom first, then to 138****0003 if needed.')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: /Code by email/ }).click()
  await expect(page.getByRole('heading', { name: 'Enter the code from the email' })).toBeFocused()
})

test('a whole message may be pasted as a code, and an unknown phone number gets the same answer', async ({
  page,
  server,
}) => {
  await page.goto('/auth_web/login')
  await page.getByRole('link', { name: 'One-time code' }).click()
  await page.getByLabel('Phone number or email').fill('nobody@example.edu')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'on its way' })).toBeAttached()
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await page.getByRole('link', { name: 'One-time code' }).click()
  await page.getByLabel('Phone number or email').fill('student2@example.edu')
  await page.getByRole('button', { name: 'Send code' }).click()
  const sent = await server.testMailbox.codeMailedTo('student2@example.edu')
  await code(page).evaluate(
    (field, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', text)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    `【示范大学】验证码：${sent.slice(0, 3)} ${sent.slice(3)}，5 分钟内有效。`,
  )
  await expect(code(page)).toHaveValue(sent)
  await page.locator('form button[type=submit]').first().click()
  await page.waitForURL(/my-apps/)
})

test('a password is recovered by phone, from an application and back to it', async ({ page, server }) => {
  await page.goto(server.library)
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot password')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.locator('input[autocomplete=username]')).toBeFocused()
  await sayWho(page, 'student3', 'student 3')
  await expect(page.getByRole('button', { name: /138\*\*\*\*0003/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /s\*\*\*@example.edu/ })).toBeVisible()
  await expect(page.locator('[aria-current=step]')).toContainText('Verification')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /Code by text message/ }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  expect(await violations(page)).toEqual([])
  await code(page).fill(await server.testMailbox.codeTextedTo('+8613800000003'))
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(password(page).first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  await password(page).nth(0).fill('weak')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(password(page).first()).toHaveAttribute('aria-invalid', 'true')
  await setPassword(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password is set')
  expect(await violations(page)).toEqual([])
  expect((await server.testMailbox.mailTo('student3@example.edu')).mail.text).toContain('password')
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.locator('input[name=username]').fill('student3')
  await page.locator('input[name=password]').fill(NEW_PASSWORD)
  await page.locator('form button[type=submit]').first().click()
  await page.waitForURL((url) => url.href.startsWith(server.library))
})

test('a password is recovered by questions and a code by mail, by keyboard alone, after a wrong answer', async ({
  page,
  server,
}) => {
  await page.goto('/auth_web/forgot-password')
  await tabTo(page, page.locator('input[autocomplete=username]'))
  await page.keyboard.type('student4')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Student 4')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: "How do you want to verify it's you?" })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: /Security questions/ }))
  await page.keyboard.press('Enter')
  const fields = page.locator('form input[type=text]')
  const answer = async (town: string) => {
    for (const [at, text] of ['red hill', '小白', town].entries()) {
      await tabTo(page, fields.nth(at))
      await fields.nth(at).fill(text)
    }
    await page.keyboard.press('Enter')
  }
  await expect(fields).toHaveCount(3)
  expect(await violations(page)).toEqual([])
  await answer('重庆')
  await expect(page.getByRole('alert')).toBeVisible()
  await fields.nth(0).focus()
  await answer('成都')
  await tabTo(page, page.getByRole('button', { name: /Code by email/ }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Send code' }))
  await page.keyboard.press('Enter')
  const sent = await server.testMailbox.codeMailedTo('student4@example.edu')
  await code(page).focus()
  await page.keyboard.type(sent)
  await page.keyboard.press('Enter')
  await expect(password(page).first()).toBeVisible()
  await setPassword(page)
})

test('an unknown account sees the same screens, and gets no further than a code that never arrives', async ({
  page,
}) => {
  await page.goto('/auth_web/forgot-password')
  await sayWho(page, 'somebody-else', 'Somebody Else')
  await page.getByRole('button', { name: /Code by email/ }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('button', { name: /Resend in/ })).toBeVisible()
  await code(page).fill('123456')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('This code is wrong')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.locator('input[autocomplete=username]')).toHaveValue('somebody-else')
})

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 800 } })

  test('用短信验证码登录，再用邮箱找回密码', async ({ page, server }) => {
    await page.goto('/auth_web/login')
    await page.getByRole('link', { name: '验证码登录' }).click()
    await page.getByLabel('手机号或邮箱').fill('13800000006')
    await page.getByRole('button', { name: '获取验证码' }).click()
    expect(await violations(page, 'layout')).toEqual([])
    await code(page).fill(await server.testMailbox.codeTextedTo('+8613800000006'))
    await page.locator('form button[type=submit]').first().click()
    await page.waitForURL(/my-apps/)

    await page.goto('/auth_web/forgot-password')
    await sayWho(page, 'student7', '李静')
    await page.getByRole('button', { name: /邮箱验证码/ }).click()
    await page.getByRole('button', { name: '获取验证码' }).click()
    expect(await violations(page, 'layout')).toEqual([])
    const mail = await server.testMailbox.mailTo('student7@example.edu')
    expect(mail.mail.subject).toContain('验证码')
    await code(page).fill(await server.testMailbox.codeMailedTo('student7@example.edu'))
    await page.getByRole('button', { name: '下一步' }).click()
    await expect(password(page).first()).toBeVisible()
    expect(await violations(page, 'layout')).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(wide).toBe(false)
    await setPassword(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('密码修改成功')
    expect((await server.testMailbox.smsTo('+8613800000007')).text).toContain('密码')
  })
})
