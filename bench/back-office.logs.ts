import type { ListRequest, Question } from './back-office.types.ts'

const LOGINS = '/login_log/query/'
const VISITS = '/app_visit_log/query/'
const FIGURES = '/login_log/figures/'
const CURRENT = '/current_login_manage/query/'
/** The timeline with its counts, where roll-ups exist. */
const ROLLED_UP = 100
/** The first page for any single filter, and the limit for any combination before it says how far it searched. */
const ONE_FILTER = 300
const COMBINATION = 2000
const TIMES = 10
const NO_SESSION = '0198c0de-1234-7000-8000-00000000abcd'

const asked = (path: string, queries: Record<string, string>[]): ListRequest[] =>
  queries.flatMap((query) => Array.from({ length: TIMES }, () => ({ path, query })))
const one = (name: string, path: string, ...queries: Record<string, string>[]): Question => ({
  name,
  budget: ONE_FILTER,
  ask: asked(path, queries),
})

const daysAgo = (days: number) =>
  new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString()

/** Typical log queries of administrators, with values from the generated records. */
export const logs = (organizationId: string): Question[] => [
  one('logins, the newest', LOGINS, {}),
  one('logins of an address', LOGINS, { ip: '10.7.3.9' }, { ip: '10.120.44.71' }),
  one('logins of a network', LOGINS, { ip: '10.7.3.0/24' }),
  one('logins by the beginning of what was typed', LOGINS, { account: '2000' }, { account: '20004711' }),
  one('logins of people by name', LOGINS, { search: '王伟' }, { search: '欧阳娜' }, { search: 'zhangwei' }),
  one('logins of a faculty', LOGINS, { organizationId }),
  one('logins that were refused', LOGINS, { result: '0' }, { reason: 'sign-in.wrong-credentials' }),
  one('logins by one common value', LOGINS, { clientType: 'mobile' }, { onCampus: '0' }, { factor: 'none' }),
  one(
    'logins by one value that none has',
    LOGINS,
    { device: 'Amiga' },
    { browser: 'Netscape 4' },
    { ipRange: 'nowhere' },
    { requestId: 'none' },
    { authType: 'qq' },
    { factor: 'totp' },
    { clientType: 'other' },
    { reason: 'account.frozen' },
    { ip: '99.9' },
    { ruleOutcome: 'refuse' },
  ),
  one('logins without the one value that all have', LOGINS, { without: 'factor=none' }, { authType: 'third-party' }),
  one(
    'visits by one value that none has',
    VISITS,
    { ipRange: 'nowhere' },
    { clientType: 'tablet' },
    { entry: 'application' },
    { result: '0' },
    { ip: '99.9' },
  ),
  one('logins to the portal, and of a session', LOGINS, { applicationId: 'portal' }, { session: NO_SESSION }),
  { ...one('time line and counts of 30 days', FIGURES, {}), budget: ROLLED_UP },
  { ...one('time line and counts of a year', FIGURES, { from: daysAgo(365) }), budget: ROLLED_UP },
  { ...one('time line of what no roll-up covers', FIGURES, { ip: '10.7.3.0/24' }), budget: COMBINATION },
  one('current logins of a faculty', CURRENT, { organizationId }),
  one('current logins by method, remembered and idle', CURRENT, {
    authType: 'user',
    remembered: '0',
    idleMinutes: '15',
  }),
  one('visits of an address', VISITS, { ip: '10.7.3.9' }),
  one('visits, the newest', VISITS, {}, { entry: 'portal' }),
  {
    name: 'logins by what no index tells, nothing found',
    budget: COMBINATION,
    ask: asked(LOGINS, [{ device: 'Amiga', clientType: 'tablet', onCampus: '0' }]).slice(0, TIMES / 2),
  },
]
