import { violations } from './axe.ts'
import { topDialog } from './dialogs.ts'
import { test as base, expect, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

const person = {
  account: 'lilei',
  name: 'Li Lei',
  password: PASSWORD,
  mailbox: 'lilei@example.edu',
  phone: '13800000001',
}

const SCHOOL = {
  users: [person, { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true }],
  settings: { login: { secondFactorSuperUsers: false } },
}

/** In demo mode, with one person instead of the demo school. */
const test = testWithServer('outbox', () => startGatehouse({ env: { DEMO: '1' }, bootstrap: SCHOOL }))

// One after the other: the outbox is empty at the start of the first two.
test.describe.configure({ mode: 'default' })

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 800 } })

  test('演示发件箱在手机上也能使用', async ({ page }) => {
    await page.goto('/auth_web/outbox')
    await expect(page.getByRole('heading', { name: '还没有消息' })).toBeVisible()
    expect(await violations(page, 'layout')).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

test('the outbox of a demo shows a code as it is sent, and the code logs in', async ({ page, context }) => {
  const outbox = await context.newPage()
  await outbox.goto('/auth_web/outbox')
  await expect(outbox.getByRole('heading', { name: 'Nothing has been sent yet' })).toBeVisible()
  expect(await violations(outbox)).toEqual([])

  await page.goto('/auth_web/login')
  await page.getByText('One-time code').first().click()
  await page.locator('input[name=username]').fill('13800000001')
  await page.getByRole('button', { name: 'Send code' }).click()
  const text = outbox.getByText(/is your code for logging in/)
  await expect(text).toBeVisible({ timeout: 10_000 })
  await expect(outbox.getByText('+8613800000001')).toBeVisible()
  expect(await violations(outbox)).toEqual([])
  const code = /\d{6}/.exec((await text.textContent()) ?? '')?.[0] ?? ''
  await page.locator('input[autocomplete=one-time-code]').fill(code)
  await page.locator('form button[type=submit]').first().click()
  await expect(page).toHaveURL(/my-apps$/)
})

test('the link of a reset is sent to the address on file, and not shown to the administrator', async ({
  page,
  browser,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=lilei')
  await page.getByRole('button', { name: 'lilei', exact: true }).click()
  await page.locator('dialog.drawer').getByRole('button', { name: 'Reset account' }).click()
  const dialog = topDialog(page)
  await expect(dialog.getByRole('radio', { name: 'Show it to me' })).toBeChecked()
  await dialog.getByRole('radio', { name: /By email to l/ }).check()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Reset account' }).click()
  await expect(page.getByText(/The link is on its way to l/).first()).toBeVisible()
  await expect(page.locator('code', { hasText: 'code=' })).toHaveCount(0)

  const person = await (await browser.newContext()).newPage()
  await person.goto(`${new URL(page.url()).origin}/auth_web/outbox`)
  const text = person.getByText(/activation\?code=/).first()
  await expect(text).toBeVisible({ timeout: 10_000 })
  await person.goto(/https?:\S+activation\?code=[\w-]+/.exec((await text.textContent()) ?? '')?.[0] ?? '')
  await person.getByRole('button', { name: 'Set up my account' }).click()
  await expect(person.getByRole('heading', { name: "Verify it's you" })).toBeVisible()
  await expect(person.getByText('For Li Lei, lilei')).toBeVisible()
  await person.context().close()
})

base('without a demo there is no outbox', async ({ page }) => {
  const answer = await page.goto('/auth_web/outbox')
  expect(answer?.status()).toBe(404)
})
