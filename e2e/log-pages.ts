import { expect } from '@playwright/test'
import type { LogInsight } from '#shared/contract/log-insights.ts'
import { withPayload } from './hostile-names.ts'
import { type PageState, visit } from './page-state.ts'

const SOMEBODY = '00000000-0000-4000-8000-00000000bbbb'

/** One insight of each kind, as the server would return it. */
function insightsOfEachKind() {
  const now = new Date().toISOString()
  const nobody = { userId: null, person: null, personAccount: null, applicationId: null, application: null }
  const open = { ...nobody, firstAt: now, lastAt: now, dismissedAt: null, dismissedBy: null }
  const person = { ...open, userId: SOMEBODY, person: withPayload('Han Meimei', 0), personAccount: 'hanmeimei' }
  const [north, south] = [withPayload('North', 1), withPayload('South', 2)]
  const application = { ...open, applicationId: SOMEBODY, application: withPayload('Library', 3) }
  const found: Omit<LogInsight, 'id'>[] = [
    { ...open, kind: 'spraying', address: '2001:db8:4000:8000:aaaa:bbbb:cccc:dddd', count: 1204, minutes: 15 },
    { ...person, kind: 'failing-account', count: 31, hours: 24 },
    { ...person, kind: 'new-range', range: north, count: 12 },
    { ...person, kind: 'new-device', clientType: 'mobile', count: 12 },
    { ...person, kind: 'range-hop', formerRange: north, range: south, minutes: 4, count: 4 },
    { ...application, kind: 'refusals', count: 87, minutes: 60 },
    {
      ...open,
      kind: 'lost-codes',
      channel: 'sms',
      count: 9,
      minutes: 60,
      dismissedAt: now,
      dismissedBy: person.person,
    },
  ]
  const records = found.map((one, at) => ({ ...one, id: `00000000-0000-4000-8000-00000000000${at}` }))
  return { state: 200, message: '', data: { records, next: '2026-01-01T00:00:00.000Z~1', lookedUntil: now } }
}

/** The pages of the logs. */
export const LOG_PAGE_STATES: PageState[] = [
  visit('log insights, nothing found', 'root', '/auth_web/manage/log-insights', '.insights .state-block'),
  {
    name: 'log insights, one of each kind',
    as: 'root',
    async go(page) {
      await page.route('**/log_insight/query/**', (route) =>
        // Only for this address: later pages get real data.
        page.url().includes('state=all') ? route.fulfill({ json: insightsOfEachKind() }) : route.fallback(),
      )
      await page.goto('/auth_web/manage/log-insights?state=all')
      await expect(page.locator('.insight')).toHaveCount(7)
    },
  },
  visit('log insights, thresholds', 'root', '/auth_web/manage/log-insights?tab=settings', '.insight-group input'),
]
