import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/log-insights'

test('an insight opens the records behind it, is dismissed, found again and reopened', async ({
  page,
  logIn,
  school,
}) => {
  const login = { username: 'zhaoliu', password: 'wrong-password-1' }
  await page.request.post('/fwk_cas_service/login', { form: login })
  // As the job finds it a minute later.
  await school.sql`
    insert into log_insights (id, kind, subject, first_at, last_at, count, facts, user_id)
    select gen_random_uuid(), 'failing-account', 'a journey', now(), now(), 1204, '{"hours": 24}', id
    from users where account = 'zhaoliu'`
  await logIn(page, 'root', PAGE)
  const insight = page.getByRole('listitem').filter({ hasText: 'Person zhaoliu (zhaoliu): 1,204 failed logins' })
  await insight.getByRole('link', { name: 'Show records' }).click()
  await expect(page).toHaveURL(/login-log\?.*userId=/)
  await expect(page.getByRole('list', { name: 'Selected values' })).toContainText('Person: Person zhaoliu')
  const lines = page.getByRole('table', { name: 'Login log' }).locator('tbody tr')
  await expect(lines.first()).toContainText('Refused')
  await page.goBack()
  await insight.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(insight).toBeHidden()
  await page.goto(`${PAGE}?state=dismissed`)
  await expect(insight).toContainText('Dismissed by Root Admin')
  await insight.getByRole('button', { name: 'Reopen' }).click()
  await expect(insight).toBeHidden()
  await page.goto(PAGE)
  await expect(insight).toBeVisible()
  await school.sql`delete from log_insights where subject = 'a journey'`
})

test('a threshold out of bounds is refused at its field; a valid one is saved and is in the history', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', `${PAGE}?tab=settings`)
  const names = page.getByRole('textbox', { name: /^Login names tried from/ })
  await names.fill('1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(names).toHaveAttribute('aria-invalid', 'true')
  await names.fill('12')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.save-bar')).toBeHidden()
  await page.reload()
  await expect(names).toHaveValue('12')
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.locator('.change-line').first()).toContainText(/Login names tried/)
})
