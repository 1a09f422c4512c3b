import type { Page } from '@playwright/test'
import { setUpApp } from './authenticator-app.ts'
import { violations } from './axe.ts'
import { choose } from './fields.ts'
import { expect, fillIn, PASSWORD, test } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { openTestMailbox } from './test-mailbox.ts'

const linkOf = (gatehouse: Gatehouse) => /http\S+\/auth_web\/setup#\S+/.exec(gatehouse.output())?.[0] ?? ''

/** The first, required step. */
async function nameAdministrator(page: Page) {
  await page.getByLabel('Account').fill('principal')
  await page.getByLabel('Name', { exact: true }).fill('Head of School')
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm new password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Next' }).click()
}

test('first run: the printed link creates the first administrator, once, and everything else can be skipped', async ({
  page,
}) => {
  const gatehouse = await startGatehouse({ byCommand: true })
  try {
    const link = linkOf(gatehouse)
    await page.goto(`${gatehouse.url}/auth_web/setup`)
    await expect(page.getByRole('heading', { name: "This setup link doesn't work" })).toBeVisible()
    await page.goto(link)
    await expect(page.getByLabel('Account')).toBeVisible()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByLabel('Account')).toBeFocused()
    await expect(page.getByText('Please fill this in.')).toHaveCount(2)
    expect(await violations(page)).toEqual([])
    await nameAdministrator(page)
    await page.getByLabel('Institution name').fill('Riverside College')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await page.getByRole('button', { name: 'Skip and finish' }).click()
    await expect(page.getByRole('heading', { name: 'Gatehouse is ready' })).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect(page.getByText('Riverside College').first()).toBeVisible()
    await fillIn(page, 'principal')
    // Administrators need a second factor from the first day.
    await setUpApp(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/my-apps$/)
    await page.goto(`${gatehouse.url}/auth_web/manage`)
    await expect(page).toHaveURL(/manage\/organization$/)

    await page.goto('about:blank')
    await page.goto(link)
    await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  } finally {
    await gatehouse.stop()
  }
})

test('first run: mail and text messages are tested where they are set up, and a failure is shown verbatim', async ({
  page,
}) => {
  const testMailbox = await openTestMailbox()
  const gatehouse = await startGatehouse()
  try {
    await page.goto(linkOf(gatehouse))
    await nameAdministrator(page)
    await page.getByRole('button', { name: 'Next' }).click()

    await expect(page.getByRole('form', { name: 'Mail server' })).toBeFocused()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByLabel('Server', { exact: true })).toBeFocused()
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
    await choose(page.getByRole('combobox', { name: 'Encryption' }), /^None/)
    await expect(page.getByLabel('Port')).toHaveValue('25')
    await page.getByLabel('Port').fill(String(testMailbox.mailPort))
    await page.getByLabel('Mail account user name').fill('portal')
    await page.getByLabel('Mail account password').fill('wrong')
    await page.getByLabel('Sender address').fill('portal@school.test')
    await page.getByLabel('Send a test email to').fill('me@school.test')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText('The user name, password or key was refused.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Mail account password').fill('Mail-secret-1')
    await page.getByLabel('Send a test email to').press('Enter')
    await expect(page.getByText('Check the mailbox.')).toBeVisible()
    expect((await testMailbox.mailTo('me@school.test')).mail.subject).toContain('test message')
    await page.getByRole('button', { name: 'Next' }).click()

    await choose(page.getByRole('combobox', { name: 'Provider' }), /^Custom message platform/)
    await page.getByLabel('Message platform address').fill(`${testMailbox.settings.sms.url}`)
    await page.getByLabel('Application ID').fill('gatehouse-id')
    await page.getByLabel('Signing key').fill('Gatehouse-secret-0815')
    await page.getByLabel('Send a test message to').fill('13800000001')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText('Check the phone.')).toBeVisible()
    expect((await testMailbox.smsTo('+8613800000001')).text).toContain('test message')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Finish setup' }).click()
    await expect(page.getByRole('heading', { name: 'Gatehouse is ready' })).toBeVisible()
  } finally {
    await gatehouse.stop()
    await testMailbox.close()
  }
})

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('首次运行：每一步都可用中文完成', async ({ page }) => {
    const gatehouse = await startGatehouse()
    try {
      await page.goto(linkOf(gatehouse))
      await page.getByLabel('账号').fill('principal')
      await page.getByLabel('姓名').fill('林校长')
      await page.getByLabel('新密码', { exact: true }).fill(PASSWORD)
      await page.getByLabel('再次输入').fill(PASSWORD)
      await page.getByRole('button', { name: '下一步' }).click()
      await page.getByRole('button', { name: '下一步' }).click()
      await page.getByLabel('服务器', { exact: true }).fill('127.0.0.1')
      await page.getByLabel('端口').fill('1')
      await choose(page.getByRole('combobox', { name: '加密方式' }), /^不加密/)
      await page.getByLabel('发件人地址').fill('portal@school.test')
      await page.getByLabel('测试邮件发送至').fill('me@school.test')
      await page.getByRole('button', { name: '发送测试' }).click()
      await expect(page.getByText('服务器拒绝连接')).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: '暂不设置' }).click()
      for (const provider of ['腾讯云', /^自有消息平台/, '阿里云']) {
        await choose(page.getByRole('combobox', { name: '服务商' }), provider)
        expect(await violations(page)).toEqual([])
      }
      await page.getByRole('button', { name: '上一步' }).click()
      await expect(page.getByLabel('发件人地址')).toHaveValue('portal@school.test')
      await page.getByRole('button', { name: '暂不设置' }).click()
      await page.getByRole('button', { name: '跳过并完成' }).click()
      await expect(page.getByRole('link', { name: '登录' })).toBeVisible()
    } finally {
      await gatehouse.stop()
    }
  })
})

test('first run: values of the bootstrap file are shown instead of being asked for, and the rest is completed', async ({
  page,
}) => {
  const mail = { host: 'mail.school.test', port: 25, security: 'none', from: 'portal@school.test' }
  const gatehouse = await startGatehouse({ bootstrap: { settings: { gateway: { names: { en: 'By File' } }, mail } } })
  try {
    await page.goto(linkOf(gatehouse))
    await nameAdministrator(page)
    await expect(page.getByLabel('Institution name')).not.toBeEditable()
    await expect(page.getByText('Set by the bootstrap file')).toBeVisible()
    await page.getByLabel('Who to ask for help').fill('Room 3')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('Set by the bootstrap file')).toBeVisible()
    await expect(page.getByLabel('Server', { exact: true })).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Skip and finish' }).click()
    await expect(page.getByRole('heading', { name: 'Gatehouse is ready' })).toBeVisible()
  } finally {
    await gatehouse.stop()
  }
})
