import type { LoginLogLine, VisitLogLine } from '#shared/contract/log-centre.ts'
import type { TABLES } from '#shared/contract/tables.ts'
import { type ExportColumn, type ExportWords, knownWording } from '../records/index.ts'

/** The columns of a file for one column of the page: one or two, each of plain text that can be sorted and counted. */
type Cells<Line> = readonly ExportColumn<Line>[]
type CommonLine = Omit<VisitLogLine, 'entry' | 'protocol'>

const loginReason = knownWording('login-reason', 'login-reason.unknown')
const visitReason = knownWording('visit-reason', 'login-reason.unknown')
const authType = knownWording('auth-type', 'auth-type.unknown')

const reasonText = (wording: typeof loginReason) => (line: CommonLine, words: ExportWords) =>
  line.reason === null ? '' : wording(line.reason, words.say)

function applicationText({ applicationId, application }: CommonLine, { say }: ExportWords): string {
  return application ?? say(applicationId === null ? 'records.portal' : 'records.application-gone')
}

const COMMON = {
  at: [{ title: 'records.time', isTime: true, text: ({ at }, { time }) => time(at) }],
  person: [
    { title: 'log.person', text: ({ person }) => person ?? '' },
    { title: 'current-login-manage.account', text: ({ personAccount }) => personAccount ?? '' },
  ],
  organization: [{ title: 'current-login-manage.organization', text: ({ organization }) => organization ?? '' }],
  category: [{ title: 'log.category', text: ({ category }) => category ?? '' }],
  application: [{ title: 'records.application', text: applicationText }],
  ip: [{ title: 'records.ip', text: ({ ip }) => ip }],
  place: [
    {
      title: 'records.place',
      text: ({ onCampus }, { say }) => say(onCampus ? 'place.on-campus' : 'place.off-campus'),
    },
    { title: 'log.range', text: ({ ipRange }) => ipRange ?? '' },
  ],
  clientType: [{ title: 'records.client-type', text: ({ clientType }, { say }) => say(`client-type.${clientType}`) }],
  session: [{ title: 'log.session', text: ({ session }) => session ?? '' }],
} satisfies Record<string, Cells<CommonLine>>

const resultText = (title: string, well: string, failed: string) => ({
  title,
  text: ({ succeeded }: CommonLine, { say }: ExportWords) => say(succeeded ? well : failed),
})

export const LOGIN_CELLS: Readonly<Record<(typeof TABLES)['login-log'][number], Cells<LoginLogLine>>> = {
  ...COMMON,
  result: [
    resultText('records.result', 'records.result.succeeded', 'records.result.failed'),
    { title: 'records.reason', text: reasonText(loginReason) },
  ],
  account: [{ title: 'records.account', text: ({ account }) => account }],
  authType: [{ title: 'records.auth-type', text: (line, { say }) => line.provider ?? authType(line.authType, say) }],
  factor: [{ title: 'log.factor', text: ({ factor }, { say }) => say(`log.factor.${factor ?? 'none'}`) }],
  device: [
    { title: 'records.browser', text: ({ browser }) => browser },
    { title: 'records.device', text: ({ device }) => device },
  ],
  rules: [{ title: 'log.rules', text: ({ rules }) => rules.map(({ name }) => name).join('; ') }],
  logoutAt: [{ title: 'records.logout-time', isTime: true, text: ({ logoutAt }, { time }) => time(logoutAt) }],
  requestId: [{ title: 'log.request', text: ({ requestId }) => requestId }],
}

export const VISIT_CELLS: Readonly<Record<(typeof TABLES)['app-visit-log'][number], Cells<VisitLogLine>>> = {
  ...COMMON,
  result: [
    resultText('log.visit-result', 'log.entered', 'log.refused'),
    { title: 'records.reason', text: reasonText(visitReason) },
  ],
  entry: [{ title: 'records.entry', text: ({ entry }, { say }) => say(`records.entry.${entry}`) }],
  protocol: [{ title: 'log.protocol', text: ({ protocol }) => protocol ?? '' }],
}
