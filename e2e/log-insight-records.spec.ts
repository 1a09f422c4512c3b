import type { Page } from '@playwright/test'
import type { InsightKind } from '#shared/contract/log-insights.ts'
import { expect, type School, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/log-insights'
/** What the journey's insights are about; each has records right before and after those that it counted. */
const [FIRST, LAST, NOW] = ['2026-01-15T02:00:00.250Z', '2026-01-15T02:00:09.750Z', new Date().toISOString()]
const AROUND = ['02:00:00.249', '02:00:00.250', '02:00:04.000', '02:00:09.750', '02:00:09.751']
const TIMES = AROUND.map((time) => `2026-01-15T${time}Z`)

/** As the job stores one. */
async function insertInsight({ sql }: School, kind: InsightKind, facts: object): Promise<void> {
  const stored = { records: 3, from: FIRST, to: LAST.replace('750', '751'), minutes: 15, hours: 24, ...facts }
  await sql`
    insert into log_insights (id, kind, subject, first_at, last_at, count, facts, user_id, application_id)
    select gen_random_uuid(), ${kind}, 'counted', ${NOW}, ${NOW}, 3, ${JSON.stringify(stored)}::text::jsonb, u.id, a.id
    from users u, applications a where u.account = 'portrait' and a.app_id = 'library'`
}

async function insertRecords({ sql }: School): Promise<void> {
  await sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, reason, ip, user_agent, browser, device, client_type,
      on_campus, ip_range, request_id)
    select gen_random_uuid(), t.at::timestamptz, u.id, u.account, 'user', s.succeeded, case when not s.succeeded then 'password.wrong' end,
      '203.0.113.99', '', 'Chrome 140', 'Windows 11', 'mobile', false, 'Dormitory', ''
    from users u, unnest(${TIMES}::text[]) as t(at), (values (true), (false)) as s(succeeded) where u.account = 'portrait'`
  await sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, refusal)
    select gen_random_uuid(), t.at::timestamptz, u.id, a.id, 'sign-on', '203.0.113.99', 'pc', false, 'application.not-granted'
    from users u, applications a, unnest(${TIMES}::text[]) as t(at) where u.account = 'portrait' and a.app_id = 'library'`
  await sql`
    insert into messages (id, channel, template, language, masked_to, target_hash, state, reason, next_attempt_at, expires_at, created_at,
      finished_at)
    select gen_random_uuid(), 'sms', 'code.login', 'en', '138****0001', '\\x00', 'failed', 'recipient', now(), now(), t.at::timestamptz,
      t.at::timestamptz
    from unnest(${TIMES}::text[]) as t(at)`
}

async function openOne(page: Page, kind: InsightKind): Promise<void> {
  await page.goto(`${PAGE}?kind=${kind}`)
  const insight = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Show 3 records' }) })
  await insight.getByRole('link', { name: 'Show 3 records' }).click()
}

test('every insight opens exactly as many records as its button says', async ({ page, logIn, school }) => {
  await insertRecords(school)
  const KINDS: readonly [InsightKind, object][] = [
    ['spraying', { address: '203.0.113.99' }],
    ['failing-account', {}],
    ['new-range', { range: 'Dormitory' }],
    ['new-device', { clientType: 'mobile' }],
    ['range-hop', { formerRange: 'Library', range: 'Dormitory' }],
    ['refusals', {}],
    ['lost-codes', { channel: 'sms' }],
  ]
  await logIn(page, 'root', PAGE)
  for (const [kind, facts] of KINDS) {
    await insertInsight(school, kind, facts)
    await openOne(page, kind)
    await expect(page.getByText('3 records in total'), kind).toBeVisible()
    // The same after a reload: the address holds the exact time.
    await page.reload()
    await expect(page.getByText('3 records in total'), kind).toBeVisible()
  }
  await school.sql`delete from log_insights where subject = 'counted'`
  await school.sql`delete from messages where masked_to = '138****0001' and template = 'code.login'`
})
