import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { topDialog } from './dialogs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const row = (page: Page, account: string) => page.getByRole('row').filter({ hasText: account })

test('a dormant person is exempted, the exemption and the dormancy are ended, and the list says what comes next', async ({
  page,
  logIn,
  school,
}) => {
  await school.sql`
    update users set dormant_since = now() - interval '30 days', last_login_at = null where account in ('onleave', 'lockedout')`
  await logIn(page, 'root', '/auth_web/manage')
  await page.getByRole('link', { name: 'Dormant accounts' }).click()
  await expect(row(page, 'lockedout')).toContainText('30 days ago')
  await expect(row(page, 'onleave')).toContainText('Never')
  await expect(row(page, 'onleave')).toContainText('Stays dormant')
  expect(await violations(page)).toEqual([])
  await row(page, 'lockedout')
    .getByRole('button', { name: /^Exempt: / })
    .click()
  await topDialog(page).getByLabel('Reason').fill('Sabbatical')
  await topDialog(page).getByRole('button', { name: 'Exempt', exact: true }).click()
  await expect(row(page, 'lockedout').getByText('Exempt', { exact: true })).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'Show' }), 'Exempt')
  await expect(row(page, 'onleave')).toHaveCount(0)
  await page.getByRole('button', { name: 'lockedout', exact: true }).click()
  await expect(page.getByText('Exempt from dormancy')).toBeVisible()
  await expect(page.getByText('No end date')).toBeVisible()
  await page.keyboard.press('Escape')
  await row(page, 'lockedout')
    .getByRole('button', { name: /^End exemption: / })
    .click()
  await topDialog(page).getByRole('button', { name: 'End exemption' }).click()
  await expect(row(page, 'lockedout')).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  for (const account of ['lockedout', 'onleave'])
    await page.getByRole('checkbox', { name: new RegExp(account) }).check()
  await page.getByRole('button', { name: 'Notify', exact: true }).click()
  await expect(topDialog(page).getByText('2 people are notified')).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'End dormancy', exact: true }).click()
  await topDialog(page).getByRole('button', { name: 'End dormancy', exact: true }).click()
  await expect(page.getByText('Dormancy of 2 people ended')).toBeVisible()
  await expect(row(page, 'onleave')).toHaveCount(0)
})

test('a nightly run on hold says what it would do, and continues when a super user confirms it', async ({
  page,
  logIn,
  school,
}) => {
  const taskId = crypto.randomUUID()
  await school.sql`
    insert into background_tasks (id, kind, client, state, error, total, input, created_at)
    values (${taskId}, 'dormancy.sweep', '{}', 'failed', 'dormancy.held', 900, '{}', now())`
  await school.sql`
    insert into dormancy_runs (task_id, at, people, dormant, locked, told, held)
    values (${taskId}, now(), 900, 321, 0, 12, true)`
  // The only one of the journeys who is idle.
  await school.sql`
    insert into users (id, account, name, created_at, updated_at)
    values (gen_random_uuid(), 'idler', 'Idler', now() - interval '400 days', now())`
  await logIn(page, 'root', '/auth_web/manage/sleep-account')
  const held = page.getByRole('region', { name: 'Dormancy run on hold' })
  await expect(held).toContainText('of 900 people, 321 would become dormant')
  await held.getByRole('button', { name: 'Continue the run' }).click()
  await expect(topDialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  // The run ends before the page asks for it again: it never sees one under way.
  await page.route(/\/dormant\/run\/(\?|$)/, async (route) => {
    const ended = () => school.sql`
      select from background_tasks t join dormancy_runs r on r.task_id = t.id where t.state = 'done' and r.dormant = 1`
    await expect.poll(async () => (await ended()).length).toBeGreaterThan(0)
    await route.continue()
  })
  await topDialog(page).getByRole('button', { name: 'Continue the run' }).click()
  await expect(page.getByText(/Last run on .* 1 became dormant, 0 locked, 0 notified/)).toBeVisible()
  await expect(held).toHaveCount(0)
  await expect(row(page, 'idler')).toBeVisible()
})

test('the list shows whom a run has made dormant that was under way when the page opened', async ({
  page,
  logIn,
  school,
}) => {
  const [taskId, runner] = [crypto.randomUUID(), crypto.randomUUID()]
  await school.sql`
    insert into background_tasks (id, kind, client, state, total, input, created_at, runner, heartbeat_at)
    values (${taskId}, 'dormancy.sweep', '{}', 'running', 900, '{}', now(), ${runner}, now())`
  await logIn(page, 'root', '/auth_web/manage/sleep-account')
  await expect(page.getByText(/^Next run on/)).toBeVisible()
  await expect(row(page, 'lisi')).toHaveCount(0)
  await school.sql`update users set dormant_since = now() where account = 'lisi'`
  await school.sql`
    insert into dormancy_runs (task_id, at, people, dormant, locked, told, held) values (${taskId}, now(), 900, 1, 0, 0, false)`
  await school.sql`update background_tasks set state = 'done' where id = ${taskId}`
  await expect(row(page, 'lisi')).toBeVisible()
  await school.sql`update users set dormant_since = null where account = 'lisi'`
})
