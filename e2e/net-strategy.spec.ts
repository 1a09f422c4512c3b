import type { Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { expect, loginFor, test } from './fixtures.ts'

// The changed login rules would affect the people of other journeys.
test.use({ login: { trustedBrowserDays: 26 } })

const TESTER = '/auth_web/manage/net-strategy?tab=test'
const RULES = '/auth_web/manage/net-strategy?tab=rules'
const dialog = (page: Page) => page.getByRole('dialog')
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Back-office menu' }).locator(`a[href="/auth_web/manage/${name}"]`)
const address = (page: Page) => page.getByRole('textbox', { name: /^IP address/ })

test('the tester takes the address that somebody asks about, also when it is already open', async ({ page, logIn }) => {
  await logIn(page, 'root', `${TESTER}&ip=192.0.2.1`)
  await expect(address(page)).toHaveValue('192.0.2.1')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('192.0.2.2')
  await page.getByRole('option', { name: 'What applies to 192.0.2.2?' }).click()
  await expect(address(page)).toHaveValue('192.0.2.2')
})

test('cleared counters are said to be cleared for their address only, and the focus stays beside them', async ({
  page,
  logIn,
  school,
}) => {
  await page.request.post(loginFor(school.url, '/auth_web/'), { form: { username: 'counted', password: 'wrong' } })
  await logIn(page, 'root', TESTER)
  await address(page).fill('127.0.0.1')
  await page.getByRole('button', { name: 'Clear counters' }).press('Enter')
  const cleared = page.getByText('The counters of this address were cleared.')
  await expect(cleared).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Counters for 127.0.0.1' })).toBeFocused()
  await address(page).fill('192.0.2.9')
  await expect(page.getByRole('heading', { name: 'Counters for 192.0.2.9' })).toBeVisible()
  await expect(cleared).toHaveCount(0)
})

test('a rule within one day is not said to end on the next, however its times are typed', async ({ page, logIn }) => {
  await logIn(page, 'root', RULES)
  await page.getByRole('button', { name: 'New rule' }).click()
  const when = dialog(page).getByRole('group', { name: 'When' })
  await when.getByRole('radio', { name: 'Only at some times' }).check()
  const overnight = when.getByText('Ends the next day')
  await when.getByLabel('From').fill('22')
  await when.getByLabel('Until').fill('6')
  await expect(overnight).toBeVisible()
  await when.getByLabel('From').fill('8:00')
  await when.getByLabel('Until').fill('17:00')
  await expect(overnight).toHaveCount(0)
})

test('the list of rules and the idle time of the page follow the login rules at once', async ({ page, logIn }) => {
  await logIn(page, 'root', RULES)
  const row = page.getByRole('row', { name: /Second factor for applications/ })
  await expect(row).toContainText('Off')
  await menuLink(page, 'login-config').click()
  await page.getByRole('combobox', { name: 'Second factor for applications' }).fill('Library')
  await page.getByRole('option', { name: /Library/ }).click()
  const settings = page.waitForRequest('**/login_property_page_config/**', { timeout: 5000 })
  await page.keyboard.press('Control+s')
  await settings
  await expect(page.locator('.save-bar')).toBeHidden()
  await menuLink(page, 'net-strategy').click()
  await page.getByRole('tab', { name: 'Access rules' }).click()
  // Sooner than a list is read anew anyway.
  await expect(row).toContainText('Library', { timeout: 3000 })
})

test('a rule shows the new name of its range at once', async ({ page, logIn, school }) => {
  const call = await callerAs(school.url, 'root')
  const range = await call('/ip_range/create/', { name: 'First name', kind: 'other', networks: ['203.0.113.0/24'] })
  await call('/access_rule/create/', { name: 'Names a range', where: { ranges: [range.id] }, outcome: 'notify' })
  await logIn(page, 'root', RULES)
  const row = page.getByRole('row', { name: /Names a range/ })
  await expect(row).toContainText('First name')
  await page.getByRole('tab', { name: 'IP ranges' }).click()
  await page.getByRole('button', { name: 'Edit First name' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Second name')
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('tab', { name: 'Access rules' }).click()
  await expect(row).toContainText('Second name', { timeout: 3000 })
})

test('a rule that is opened and not changed has no impact', async ({ page, logIn, school }) => {
  const call = await callerAs(school.url, 'root')
  await call('/access_rule/create/', { name: 'Untouched', where: { kinds: ['campus'] }, outcome: 'notify', mode: 'on' })
  await logIn(page, 'root', RULES)
  await page.getByRole('button', { name: 'Edit Untouched' }).click()
  await expect(dialog(page).getByLabel('Name', { exact: true })).toHaveValue('Untouched')
  await expect(dialog(page).locator('.impact')).toHaveCount(0)
})

test('a verdict about one person is not shown for the next', async ({ page, logIn }) => {
  await logIn(page, 'root', TESTER)
  const decision = page.locator('.rule-decision')
  await expect(decision).toBeVisible()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/access_rule/test/**', async (route) => {
    await held
    await route.fallback()
  })
  await page.getByRole('combobox', { name: 'Person' }).fill('zhangsan')
  await page.getByRole('option', { name: /zhangsan/ }).click()
  await expect(
    page.getByRole('button', { name: /^Remove Person zhangsan/ }).or(page.getByText('Person zhangsan')),
  ).not.toHaveCount(0)
  await expect(decision).not.toContainText('zhangsan')
  release()
  await expect(decision).toContainText('Person zhangsan')
})

test('a failed check of networks is no error of what was typed', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  await page.route('**/ip_range/check/**', (route) =>
    route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } }),
  )
  const failed = page.waitForResponse('**/ip_range/check/**')
  await page.getByRole('button', { name: 'New IP range' }).click()
  const networks = dialog(page).getByRole('textbox', { name: /^Networks/ })
  await networks.fill('203.0.113.0/25')
  await failed
  await expect(dialog(page).getByText('Broken')).toHaveCount(0)
  await expect(networks).not.toHaveAttribute('aria-invalid', 'true')
})

test('a rule that is gone and counts that are not there are said in words', async ({ page, school, logIn }) => {
  const call = await callerAs(school.url, 'root')
  const { id } = await call('/access_rule/create/', { name: 'Counted rule', outcome: 'refuse', mode: 'off' })
  await page.route('**/access_rule/counts/**', (route) => route.abort())
  await logIn(page, 'root', '/auth_web/manage/net-strategy?tab=rules')
  const row = page.getByRole('row').filter({ hasText: 'Counted rule' })
  await expect(row.getByText('Not known')).toBeVisible()
  await page.goto(`/auth_web/manage/net-strategy?tab=outcomes&rule=${id.replace(/^.{8}/, '12345678')}`)
  await expect(page.locator('.filter-chips')).toContainText('Deleted rule')
})

test('the effects of a change are asked for again whenever its form opens', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/net-strategy')
  for (let i = 0; i < 2; i++) {
    await page.getByRole('button', { name: 'New IP range' }).first().click()
    const asked = page.waitForRequest('**/policy_impact/ip_range/**', { timeout: 8000 })
    await page.getByRole('dialog').getByLabel('Networks').fill('203.0.113.0/24')
    await asked
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
  }
})
