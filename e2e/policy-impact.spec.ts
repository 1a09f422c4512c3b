import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/login-config'

// Lock-out rules would lock out the people of other journeys.
test.use({ login: { trustedBrowserDays: 31 } })
test.describe.configure({ mode: 'default' })

const unconfirmed = (page: Page) => page.getByRole('region', { name: 'Unconfirmed change' })

/** Leaves only codes as a login method, which reach nobody, and saves nevertheless. */
async function forceCodesOnly(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Account and password' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.save-bar')).toContainText("You wouldn't be able to log in again yourself")
  await page.getByRole('button', { name: 'Save anyway…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save even though it locks someone out?' })
  await expect(dialog).toContainText('within 10 minutes')
  await dialog.getByRole('button', { name: 'Save provisionally' }).click()
  await expect(unconfirmed(page)).toContainText(/It will be undone in (10:00|9:\d\d)/)
  await expect(page.locator('.save-bar')).toBeHidden()
}

test('a change that locks its author out is saved provisionally, and undone at once from the open session', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await forceCodesOnly(page)
  await expect(unconfirmed(page).getByRole('button', { name: 'Keep the change' })).toHaveCount(0)
  await expect(unconfirmed(page)).toContainText('log in again in a private window')
  await unconfirmed(page).getByRole('button', { name: 'Undo now' }).click()
  await expect(unconfirmed(page)).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Account and password' })).toBeChecked()
})

test('a super user who finds the access rules suspended enables them again', async ({ page, school, logIn }) => {
  await school.sql`insert into settings (name, value, updated_at) values ('access', '{"suspended": true}', now())`
  await school.sql`select pg_notify('gatehouse_cache', 'settings')`
  await logIn(page, 'root', PAGE)
  const off = page.getByRole('region', { name: 'Access rules are off' })
  await off.getByRole('button', { name: 'Switch on again' }).click()
  await expect(page.getByText('The access rules are in effect again.')).toBeVisible()
  await expect(off).toHaveCount(0)
})

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' })

  test('the months that a shorter retention deletes are listed behind their number', async ({
    page,
    school,
    logIn,
  }) => {
    const now = new Date()
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 9, 1)).toISOString().slice(0, 10)
    await school.sql`select ensure_record_partitions(${month}::date, 1)`
    await school.sql`
      insert into login_records (id, at, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus, request_id)
      select gen_random_uuid(), ${month}::date + interval '1 day', 'old', 'user', true, '192.0.2.1', '', '', '', 'pc', false, ''
      from generate_series(1, 1234)`
    await school.sql`analyze login_records`
    // What the statistics have not counted stays.
    await school.sql`
      insert into statistics_progress (counted_until, first_hour, recounted_until) values (now(), ${month}::date, now())
      on conflict do nothing`
    await logIn(page, 'root', PAGE)
    await page.getByLabel('登录日志（天）', { exact: true }).fill('180')
    await page
      .locator('.impact')
      .getByRole('button', { name: /条记录将在下次运行时删除/ })
      .click()
    const name = `${month.slice(0, 4)}年${Number(month.slice(5, 7))}月`
    await expect(page.getByRole('dialog').getByRole('row', { name })).toContainText('1,234')
    await page.keyboard.press('Escape')
    await expect(page.locator('.record-months-table').getByRole('row', { name })).toContainText('1,234')
  })
})

test('before saving the page says what a change would have done, with the list behind the number', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('checkbox', { name: 'Account and password' }).uncheck()
  const impact = page.locator('.impact')
  const figure = impact.getByRole('button', { name: /logins? of the last 7 days would have been refused/ })
  await expect(figure).toBeVisible()
  await figure.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: /root/ }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(figure).toBeFocused()
  await page.getByRole('button', { name: 'Reset to default: Login methods' }).click()
  await expect(impact).toHaveCount(0)
})
