import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

/** Two codes of one person, which WeCom refused and a text message followed, and one of another, which DingTalk refused. */
async function openSchool() {
  const users = [
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
    { account: 'lilei', name: 'Li Lei', password: PASSWORD },
    { account: 'hanmei', name: 'Han Mei', password: PASSWORD },
  ]
  const settings = { login: { secondFactorSuperUsers: false } }
  const gatehouse = await startGatehouse({ bootstrap: { users, settings } })
  for (const hours of [1, 2]) {
    await gatehouse.sql`
      with refused as (
        insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, attempts,
          next_attempt_at, expires_at, reason, last_error, error_code, created_at, finished_at)
        select gen_random_uuid(), u.id, 'wecom', 'code.login', 'en', 'l***', 'x', 'failed', 3, t.at, t.at,
          'not-allowed-from-here', 'message 60020', '60020', t.at, t.at
        from users u, (select now() - ${hours} * interval '1 hour' as at) t where u.account = 'lilei'
        returning id, user_id, created_at)
      insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, attempts,
        next_attempt_at, expires_at, gateway, gateway_id, created_at, finished_at, route_id)
      select gen_random_uuid(), user_id, 'sms', 'code.login', 'en', '138****0001', 'y', 'sent', 1, created_at, created_at,
        'aliyun', '9006', created_at + interval '20 s', created_at + interval '21 s', id
      from refused`
  }
  await gatehouse.sql`
    insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, attempts,
      next_attempt_at, expires_at, reason, last_error, error_code, created_at, finished_at)
    select gen_random_uuid(), id, 'dingtalk', 'notice.new-device', 'en', 'l***', 'x', 'failed', 1, t.at, t.at,
      'credentials', 'message 40035', '40035', t.at, t.at
    from users, (select now() - interval '3 hours' as at) t where account = 'lilei'`
  await gatehouse.sql`
    insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, attempts,
      next_attempt_at, expires_at, reason, last_error, error_code, created_at, finished_at)
    select gen_random_uuid(), id, 'dingtalk', 'code.login', 'en', 'h***', 'z', 'failed', 1, t.at, t.at,
      'limited', 'message 143105', '143105', t.at, t.at
    from users, (select now() - interval '150 minutes' as at) t where account = 'hanmei'`
  return { url: gatehouse.url, stop: () => gatehouse.stop() }
}

const test = testWithServer('message-log', openSchool)
test.describe.configure({ mode: 'default' })

async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

test('an administrator finds by channel why a code did not arrive, and which channel took over', async ({ page }) => {
  await page.goto('/auth_web/manage/message?tab=channels')
  await fillIn(page, 'root')
  await page.getByRole('link', { name: 'Message log WeCom' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Message log' })).toBeVisible()
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Add the outgoing address under “Trusted IPs” of the app. (60020)')
  await expect(rows.first()).toContainText('Next: Text message')
  await expectSound(page)
  await rows.first().getByRole('button').first().click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.locator('.message-log-route li')).toHaveText([/^WeCom.*3 attempts/s, /^Text message.*1 attempt/s])
  await expectSound(page)
})

test('a value of a message is excluded, and what its channel refused is explained as a sending', async ({ page }) => {
  await page.goto('/auth_web/manage/message-log')
  await fillIn(page, 'root')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(6)
  await expect(rows.last()).toContainText('Check the AgentId under Routes. (40035)')
  await rows.filter({ hasText: 'Accepted by the gateway' }).first().getByRole('button').first().click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText('Alibaba Cloud · 9006')).toBeVisible()
  await drawer.getByRole('button', { name: 'Exclude Login codes' }).click()
  await expect(page.getByRole('list', { name: 'Selected values' })).toContainText('Login codes')
  await expect(rows).toHaveCount(1)
  await expectSound(page)
})

test('a route says what becomes of codes requested on a channel that it lacks', async ({ page }) => {
  await page.goto('/auth_web/manage/message?tab=routes')
  await fillIn(page, 'root')
  const codes = page.getByRole('group', { name: 'Login codes' })
  const said = codes.getByText(/^Not in this route: Text message\. A code requested that way is sent that way first/)
  const add = codes.getByRole('button', { name: /^(Set a route|Add)/ })
  await add.click()
  await expect(said).toBeVisible()
  await add.click()
  await expect(said).toHaveCount(0)
})

test('beside a person stands why their last code did not arrive, in the words of the log', async ({ page }) => {
  await page.goto('/auth_web/manage/organization?search=hanmei')
  await fillIn(page, 'root')
  await page.locator('.data-row').first().getByRole('button', { name: 'hanmei' }).click()
  const drawer = page.getByRole('dialog')
  await expect(
    drawer.getByRole('listitem').filter({ hasText: "DingTalk's limit of notifications for today. (143105)" }),
  ).toBeVisible()
})

test.describe('in Chinese, on a phone, in the dark', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('the log fits, and opens a message', async ({ page }) => {
    await page.goto('/auth_web/manage/message-log?state=failed')
    await fillIn(page, 'root')
    await expect(page.getByText('随后改用短信').first()).toBeVisible()
    await expectSound(page)
    await page.locator('.list-cards li').first().getByRole('button').first().click()
    await expect(page.locator('.message-log-route li')).toHaveCount(2)
    await expectSound(page)
  })
})
