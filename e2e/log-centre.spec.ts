import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'

test('an administrator traces a refused attempt through the login log by clicking values', async ({ page, logIn }) => {
  await page.goto('/auth_web/login')
  await page.locator('#username').fill('zhaoliu')
  await page.locator('#password').fill('wrong-password-1')
  await page.locator('#password').press('Enter')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await logIn(page, 'root', '/auth_web/manage/login-log?result=0')
  const lines = page.getByRole('table', { name: 'Login log' }).locator('tbody tr')
  const attempt = lines.filter({ hasText: 'zhaoliu' }).first()
  await expect(attempt.locator('.result')).toHaveCSS('font-weight', '600')
  await attempt.getByRole('button', { name: 'Person zhaoliu zhaoliu' }).click()
  await expect(page).toHaveURL(/userId=/)
  await expect(page.getByRole('list', { name: 'Selected values' })).toContainText('Person: Person zhaoliu zhaoliu')
  await expect(lines.first()).toContainText('Refused')
  await lines.first().locator('[data-opens]').click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('Request ID')
  await drawer.getByRole('button', { name: /^Exclude Person zhaoliu/ }).click()
  await expect(page).toHaveURL(/without=userId/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('list', { name: 'Selected values' })).toContainText('Person is not')
  await page.reload()
  // No record that is left names them.
  await expect(page.getByRole('list', { name: 'Selected values' })).toContainText(
    'Person is not Person zhaoliu zhaoliu',
  )
  await page.goto('/auth_web/manage/login-log')
  await lines
    .first()
    .getByRole('button', { name: 'Off campus' })
    .click({ modifiers: ['Alt'] })
  await expect(page).toHaveURL(/onCampus=1/)
})

test('a value picked or given up by keyboard leaves the focus at the title, not at the top of the page', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  const title = page.getByRole('heading', { level: 1 })
  const lines = page.getByRole('table', { name: 'Login log' }).locator('tbody tr')
  await lines.first().getByRole('button', { name: 'Root Admin root' }).press('Enter')
  await expect(page).toHaveURL(/userId=/)
  await expect(title).toBeFocused()
  await page.getByRole('list', { name: 'Selected values' }).getByRole('button').press('Enter')
  await expect(page).not.toHaveURL(/userId=/)
  await expect(title).toBeFocused()
})

test('a value is excluded by keyboard as by pointer, in a record and in the counts', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  const chips = page.getByRole('list', { name: 'Selected values' })
  const value = page.getByRole('table', { name: 'Login log' }).getByRole('button', { name: 'Password' }).first()
  await expect(value).toHaveAttribute('aria-keyshortcuts', 'Alt+Enter')
  await value.press('Alt+Enter')
  await expect(chips).toHaveText(/^Login method is not Password/)
  await expect(page).toHaveURL(/without=authType/)
  await chips.getByRole('button').press('Enter')
  await page.getByText('Counts by value').click()
  await page.getByRole('region', { name: 'Login method' }).getByRole('button', { name: 'Password' }).press('Alt+Enter')
  await expect(chips).toHaveText(/^Login method is not Password/)
})

test('on a phone the card of a person with a long name without spaces is as wide as all others', async ({
  page,
  logIn,
  school,
}) => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
  await school.sql`
    with somebody as (
      insert into users (id, account, name, created_at, updated_at)
      values (gen_random_uuid(), 'longname', ${name}, now(), now()) returning id)
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus, request_id)
    select gen_random_uuid(), now(), id, 'longname', 'user', true, '192.0.2.8', '', '', '', 'pc', false, '' from somebody`
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, 'root', '/auth_web/manage/login-log?search=longname')
  const list = page.getByRole('list', { name: 'Login log' })
  const card = list.getByRole('article').filter({ hasText: name })
  await expect(card).toBeVisible()
  const [around, box] = [await list.boundingBox(), await card.boundingBox()]
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((around?.x ?? 0) + (around?.width ?? 0) - 5)
  expect(await card.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  await school.sql`delete from login_records where account = 'longname'`
  await school.sql`delete from users where account = 'longname'`
})

test('the application visit log says who entered what', async ({ page, logIn, school }) => {
  await logIn(page, 'lisi')
  await page.goto(school.library.url)
  await expect(page.getByRole('heading', { name: 'Welcome lisi' })).toBeVisible()
  await page.context().clearCookies()
  await logIn(page, 'root', '/auth_web/manage/app-visit-log?search=lisi')
  const lines = page.getByRole('table', { name: 'Application visit log' }).locator('tbody tr')
  await expect(lines.first()).toContainText('Entered')
  await expect(page.getByRole('status').filter({ hasText: 'record' })).toBeVisible()
})

test('a refused visit says why, in words', async ({ page, logIn, school }) => {
  await school.sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, refusal)
    select gen_random_uuid(), now(), u.id, a.id, 'sign-on', '192.0.2.7', 'pc', false, 'application.not-granted'
    from users u, applications a where u.account = 'stranger' and a.app_id = 'library'`
  await logIn(page, 'root', '/auth_web/manage/app-visit-log?search=stranger&result=0')
  const line = page.getByRole('table', { name: 'Application visit log' }).locator('tbody tr').first()
  await line.getByRole('button', { name: 'No grant for this application' }).click()
  await expect(page).toHaveURL(/reason=application.not-granted/)
})

test('a log is filtered by an application found by name, which is still named after a reload', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  await page.getByRole('combobox', { name: 'Application', exact: true }).fill('Portal')
  await page.getByRole('option', { name: 'Portal' }).click()
  await expect(page).toHaveURL(/applicationId=portal/)
  await page.reload()
  const chips = page.getByRole('list').filter({ has: page.getByRole('button', { name: /Application: Portal/ }) })
  await expect(chips).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Application', exact: true })).toHaveValue('Portal')
  await page.getByRole('combobox', { name: 'Application', exact: true }).fill('')
  await expect(page).not.toHaveURL(/applicationId/)
})

test('the timeline of a log selects a period, by its table and by the pointer, and a counted value becomes a filter', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  const chart = page.getByRole('img', { name: /refused\. Drag over the chart/ })
  await expect(chart).toBeVisible()
  await page.getByText('Show the numbers').click()
  const numbers = page.getByRole('table', { name: 'Timeline' })
  await numbers.getByRole('button').last().press('Enter')
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}.*to=\d{4}-\d{2}-\d{2}/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await expect(chart.locator('canvas').first()).toBeVisible()
  const area = await chart.boundingBox()
  if (!area) throw new Error('no chart')
  await page.mouse.move(area.x + area.width * 0.5, area.y + 40)
  await page.mouse.down()
  await page.mouse.move(area.x + area.width * 0.9, area.y + 60, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}.*to=\d{4}-\d{2}-\d{2}/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
})

test('within a day the timeline selects hours, which are in the address and in words', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  await page.getByRole('combobox', { name: 'Time' }).click()
  await page.getByRole('option', { name: 'Today' }).click()
  await page.getByText('Show the numbers').click()
  await page.getByRole('table', { name: 'Timeline' }).getByRole('button').last().press('Enter')
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}T\d{2}%3A\d{2}/)
  await expect(page.getByRole('button', { name: /Time: .*, \d{2}:\d{2} – / })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Login log' }).locator('tbody tr').first()).toBeVisible()
})

test('a log is exported in the background, and the file has the hash that is shown', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/login-log?result=1')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export records' })
  await dialog.getByRole('radio', { name: /CSV/ }).check()
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  const line = dialog.getByRole('listitem').first()
  await expect(line).toContainText('Ready', { timeout: 20_000 })
  const hash = (await line.locator('code').textContent()) ?? ''
  const saved = page.waitForEvent('download')
  await line.getByRole('button', { name: /^Download/ }).click()
  const bytes = readFileSync(await (await saved).path())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash)
  expect(bytes.toString('utf8')).toContain('Logged in')
  await line.getByRole('button', { name: /^Delete/ }).click()
  await expect(dialog).toContainText('None yet.')
})
