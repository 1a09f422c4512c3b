import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { startCasService } from './cas-service.ts'
import { choose, typeDate } from './fields.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { openTestMailbox, type TestMailbox } from './test-mailbox.ts'

type Site = Gatehouse & { testMailbox: TestMailbox; library: string }

async function openServer(): Promise<Site> {
  const testMailbox = await openTestMailbox()
  let url = ''
  const library = await startCasService(() => url)
  const own = { protocol: 'cas', type: 'whitelist', url: library.url, serviceUrls: [`${library.url}**`] }
  const applications = [{ appId: 'library', name: 'Library', ...own }]
  const person = (account: string, more: object = {}) => ({
    account,
    name: `Person ${account}`,
    password: PASSWORD,
    ...more,
  })
  const known = { gender: 'female', birthday: '2004-02-29', nickname: 'Known' }
  const users = [person('lilei'), person('phoneless', known), person('twice', { phone: '13900004444' })]
  const accountFields = {
    phone: { required: 'next-login' },
    nickname: { required: 'always', format: { pattern: '', minLength: 2, maxLength: 8 } },
    gender: { required: 'always' },
    birthday: { required: 'next-login' },
    idNumber: { required: 'always' },
  }
  const settings = { ...testMailbox.settings, accountFields }
  const gatehouse = await startGatehouse({ bootstrap: { users, applications, settings } })
  url = gatehouse.url
  const stop = async () => {
    await gatehouse.stop()
    await library.close()
    await testMailbox.close()
  }
  return { ...gatehouse, testMailbox, library: library.url, stop }
}

const test = testWithServer('complete profile', openServer)

test.describe.configure({ mode: 'default' })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 40; stops++) {
    await page.keyboard.press('Tab')
    const found = page.locator(':focus').and(page.getByRole('button', { name }))
    if ((await found.count()) > 0) return
  }
  throw new Error(`no ${name} within 40 stops`)
}

test('a login for an application asks for missing fields first and then opens the application', async ({
  page,
  server,
}) => {
  const { testMailbox, library } = server
  const refused: string[] = []
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()))
  await page.goto(library)
  await fillIn(page, 'lilei')
  await expect(heading(page, 'Complete your profile')).toBeVisible()
  await expect(page).toHaveTitle(/Complete your profile/)
  await expect(page.getByText('Your institution also needs: ID number.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(refused).toEqual([])

  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByText('Please fill this in.')).toHaveCount(3)
  await expect(page.getByLabel('Nickname')).toBeFocused()
  await page.getByLabel('Nickname').fill('a')
  await choose(page.getByLabel('Gender'), 'Female')
  await typeDate(page.getByRole('group', { name: 'Birthday' }), '2004-02-29')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByText('Nickname needs at least 2 characters.')).toBeVisible()
  await expect(page.getByText('2 to 8 characters')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Nickname').fill('Lei')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByLabel('Nickname')).toHaveCount(0)

  // Neither another address of the portal nor the application bypasses the page.
  await page.goto('/auth_web/personal-data')
  await expect(heading(page, 'Complete your profile')).toBeVisible()
  await page.goto(library)
  await expect(heading(page, 'Complete your profile')).toBeVisible()
  await page.getByRole('button', { name: 'Add a phone' }).click()
  await page.getByLabel('New phone number').fill('139 0000 1111')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Verification code').fill(await testMailbox.codeTextedTo('+8613900001111'))
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.waitForURL(`${library}**`)
  await expect(page.locator('body')).toContainText('lilei')
})

test.describe('在 390 像素的手机上', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('按键盘绑定手机后进入原来要去的页面，也可以退出', async ({ page, server }) => {
    await page.goto('/auth_web/certification-record/current-login')
    await fillIn(page, 'phoneless')
    await expect(heading(page, '完善个人资料')).toBeVisible()
    expect(await violations(page)).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(390)
    await tabTo(page, '退出登录')
    await page.keyboard.press('Enter')
    await expect(page.locator('input[name=username]')).toBeVisible()

    await page.goto('/auth_web/certification-record/current-login')
    await fillIn(page, 'phoneless')
    await tabTo(page, '绑定手机')
    await page.keyboard.press('Enter')
    await page.keyboard.type('13900002222')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const code = await server.testMailbox.codeTextedTo('+8613900002222')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/certification-record/current-login')
    await expect(heading(page, '当前登录')).toBeVisible()
  })
})

test('a second window continues with what the first has saved', async ({ page, context }) => {
  await page.goto('/auth_web/')
  await fillIn(page, 'twice')
  await expect(heading(page, 'Complete your profile')).toBeVisible()
  const second = await context.newPage()
  await second.goto('/auth_web/')
  await expect(heading(second, 'Complete your profile')).toBeVisible()
  for (const window of [second, page]) {
    await window.getByLabel('Nickname').fill(window === page ? 'Late' : 'First')
    await choose(window.getByLabel('Gender'), 'Male')
    await typeDate(window.getByRole('group', { name: 'Birthday' }), '2004-03-01')
  }
  await second.getByRole('button', { name: 'Save and continue' }).click()
  await second.waitForURL('**/my-apps')
  await page.bringToFront()
  await page
    .getByRole('button', { name: 'Save and continue' })
    .click({ noWaitAfter: true, timeout: 5000 })
    .catch(() => {})
  await page.waitForURL('**/my-apps')
  await page.goto('/auth_web/personal-data')
  await expect(page.getByLabel('What should we call you?')).toHaveValue('First')
})
