import type { Page } from '@playwright/test'
import { expect, type School, test } from './fixtures.ts'

const LOG = '/auth_web/manage/login-log'
const lines = (page: Page) => page.getByRole('table', { name: 'Login log' }).locator('tbody tr')

/** A login of two hours ago, with an address of its own; refused ones have a reason. */
const insertLogins = ({ sql }: School, ip: string, reasons: readonly (string | null)[]) => sql`
  insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device, client_type,
    on_campus, ip_range, request_id)
  select gen_random_uuid(), now() - interval '2 hours', u.id, u.account, 'user', r.reason is null, r.reason, ${ip}, '', 'Chrome 140',
    'Windows 11', 'pc', false, null, ''
  from users u, unnest(${reasons as (string | null)[]}::text[]) as r(reason) where u.account = 'portrait'`

test('the record of a login that has ended says which applications were notified, and of an old one that this is not kept', async ({
  page,
  school,
  logIn,
}) => {
  await logIn(page, 'nickname')
  await page.goto(school.library.url)
  await expect(page.getByRole('heading', { name: 'Welcome nickname' })).toBeVisible()
  const [{ session } = { session: '' }] = await school.sql<{ session: string }[]>`
    select s.sso_session_id as session from session_services s join sso_sessions o on o.id = s.sso_session_id
      join users u on u.id = o.user_id join applications a on a.id = s.application_id
    where u.account = 'nickname' and a.app_id = 'library' order by o.id desc limit 1`
  await page.goto('/fwk_cas_service/logout')
  await page.context().clearCookies()
  await logIn(page, 'root', `${LOG}?session=${session}`)
  await lines(page).first().locator('[data-opens]').click()
  const drawer = page.getByRole('dialog')
  const told = drawer.getByRole('list', { name: 'Application logout' })
  await expect(async () => {
    await page.reload()
    await expect(told.getByRole('listitem').filter({ hasText: 'Library' })).toContainText('Logged out', {
      timeout: 1000,
    })
  }).toPass()
  await expect(drawer).not.toContainText('Still active')
  await expect(drawer).toContainText(/Ended because\s*Logged out/)
  await page.goto(`/auth_web/manage/app-visit-log?session=${session}`)
  await page.getByRole('table').locator('tbody tr').filter({ hasText: 'Library' }).locator('[data-opens]').click()
  await expect(page.getByRole('dialog')).toContainText(/Protocol\s*CAS/)
  const [old] = await school.sql<{ session: string }[]>`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus,
      sso_session_id, request_id)
    select gen_random_uuid(), now() - interval '200 days', id, account, 'user', true, '203.0.113.40', '', 'Chrome 140', 'Windows 11', 'pc',
      false, gen_random_uuid(), '' from users where account = 'nickname'
    returning sso_session_id as session`
  // Older than all others: hours that were counted already would not be looked through for it.
  await page.goto(`${LOG}?session=${old?.session}`)
  // How far back one request looks depends on the machine.
  const further = page.getByRole('button', { name: 'Search further back' })
  await expect(async () => {
    if (await further.isVisible()) await further.click()
    await expect(lines(page).first()).toBeVisible({ timeout: 2000 })
  }).toPass()
  await lines(page).first().locator('[data-opens]').click()
  await expect(page.getByRole('dialog')).toContainText('Sessions and their logout messages are kept for 30 days.')
})

test('counts by value say how many were refused, unless only refused ones are shown', async ({
  page,
  school,
  logIn,
}) => {
  await insertLogins(school, '203.0.113.7', [null, 'password.wrong', 'password.wrong'])
  await logIn(page, 'root', `${LOG}?ip=203.0.113.7`)
  await page.getByText('Counts by value').click()
  const methods = page.getByRole('region', { name: 'Login method' })
  await expect(methods.getByRole('listitem')).toContainText('3 (2 refused)')
  await expect(page.getByRole('region', { name: 'Reason' }).getByRole('listitem')).not.toContainText('refused)')
  await page.goto(`${LOG}?ip=203.0.113.7&result=0`)
  await page.getByText('Counts by value').click()
  await expect(methods.getByRole('listitem')).toContainText('2')
  await expect(methods.getByRole('listitem')).not.toContainText('refused)')
})

test('chosen values are in words, also in a log that is empty because of them', async ({ page, logIn }) => {
  const session = '0198c0de-1234-7000-8000-00000000abcd'
  const excluded = new URLSearchParams({ browser: 'Lynx 2', applicationId: 'portal' })
  const query = new URLSearchParams({ reason: 'password.wrong', session, without: excluded.toString() })
  await logIn(page, 'root', `${LOG}?${query}`)
  const chips = page.getByRole('list', { name: 'Selected values' })
  await expect(chips).toContainText('Reason: Wrong password')
  await expect(chips).toContainText('Browser is not Lynx 2')
  await expect(chips).toContainText('Application is not Portal')
  await expect(chips).not.toContainText(session)
  await expect(chips).not.toContainText('…')
})

test('an administrator of some organisations reads that the log has the people of these', async ({
  page,
  school,
  logIn,
}) => {
  await school.sql`
    insert into appointments (id, user_id, organization_id, permissions, created_at, updated_at)
    select gen_random_uuid(), u.id, o.id, '{}', now(), now() from users u, organizations o
    where u.account = 'nickname2' and o.code = 'cs'`
  await logIn(page, 'nickname2', LOG)
  await expect(page.getByText('Logins and refused attempts of people in your organisations')).toBeVisible()
  // A page whose login is gone leaves by itself, in the middle of the next one.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await logIn(page, 'root', LOG)
  await expect(page.getByText("Everyone's logins and refused attempts")).toBeVisible()
  await school.sql`delete from appointments where user_id = (select id from users where account = 'nickname2')`
})
