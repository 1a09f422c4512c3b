import { expect } from '@playwright/test'
import type { LogInsight } from '#shared/contract/log-insights.ts'
import type { LogStream } from '#shared/contract/log-streams.ts'
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
    {
      ...open,
      kind: 'spraying',
      address: '2001:db8:4000:8000:aaaa:bbbb:cccc:dddd',
      count: 1204,
      minutes: 15,
      records: 20_311,
    },
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

const ONE_PAGE = { total: 1, isMore: false, pageIndex: 1, pageSize: 10 }

function failingStream(): LogStream {
  const now = new Date().toISOString()
  const cursor = { at: now, sent: 120_000, waiting: 10_000, isMore: true, waitingSince: now }
  return {
    ...{ id: SOMEBODY, version: 1, name: withPayload('Collector', 0), kind: 'syslog', enabled: true, updatedAt: now },
    ...{ host: 'logs.example.edu', port: 6514, tls: 'verify', ca: '', facility: 13, url: '', secret: '' },
    ...{ note: withPayload('Note', 1), logs: ['login', 'visit', 'audit'], state: 'failing', sentAt: now },
    ...{
      problem: 'refused',
      problemWords: withPayload('HTTP 503', 2),
      problemAt: now,
      failures: 3,
      nextAttemptAt: now,
    },
    cursors: (['login', 'visit', 'audit'] as const).map((log) => ({ log, ...cursor })),
  }
}

/** The pages of the logs. */
export const LOG_PAGE_STATES: PageState[] = [
  visit('message log', 'root', '/auth_web/manage/message-log', '.log-foot'),
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
  visit('log streams, none', 'root', '/auth_web/manage/log-streams', '.state-block'),
  {
    name: 'log streams, one that fails',
    as: 'root',
    async go(page) {
      const stream = failingStream()
      await page.route('**/log_stream/**', (route) => {
        // Only for this address: later pages get real data.
        if (!page.url().includes('part=')) return route.fallback()
        const data = route.request().url().includes('/details/') ? stream : { ...ONE_PAGE, records: [stream] }
        return route.fulfill({ json: { state: 200, message: '', data } })
      })
      await page.goto(`/auth_web/manage/log-streams?open=${stream.id}&part=delivery`)
      await expect(page.locator('.log-stream-failing')).toBeVisible()
    },
  },
  visit('log insights, thresholds', 'root', '/auth_web/manage/log-insights?tab=settings', '.insight-group input'),
]
