import type { z } from 'zod'
import type { AuthenticationRecord, MaintenanceRecord, VisitRecord } from '#shared/contract/records.ts'
import type { ExportColumn, ExportWords } from './my-records-export.service.ts'

/** Uses the page's own texts, so that a file and its page match. */
const campusWording = (onCampus: boolean) => (onCampus ? 'place.on-campus' : 'place.off-campus')

/** A value possibly written by a newer or older version: its message, or a neutral one. */
export const knownWording =
  (prefix: string, neutral: string): Wording =>
  (word, say) => {
    const text = say(`${prefix}.${word}`)
    return text === `${prefix}.${word}` ? say(neutral) : text
  }
type Wording = (word: string, say: (key: string) => string) => string

const actionWording = knownWording('action', 'action.unknown')
const reasonWording = knownWording('login-reason', 'login-reason.unknown')
const authTypeWording = knownWording('auth-type', 'auth-type.unknown')

export const AUTHENTICATION_COLUMNS: readonly ExportColumn<z.infer<typeof AuthenticationRecord>>[] = [
  { title: 'records.login-time', isTime: true, text: ({ loginTime }, { time }) => time(loginTime) },
  { title: 'records.logout-time', isTime: true, text: ({ logoutTime }, { time }) => time(logoutTime) },
  {
    title: 'records.result',
    text: ({ succeeded }, { say }) => say(succeeded ? 'records.result.succeeded' : 'records.result.failed'),
  },
  { title: 'records.reason', text: ({ reason }, { say }) => (reason === null ? '' : reasonWording(reason, say)) },
  { title: 'records.auth-type', text: ({ authType, provider }, { say }) => provider ?? authTypeWording(authType, say) },
  { title: 'records.browser', text: ({ browser }) => browser },
  { title: 'records.device', text: ({ device }) => device },
  { title: 'records.client-type', text: ({ clientType }, { say }) => say(`client-type.${clientType}`) },
  {
    title: 'records.place',
    text: ({ onCampus, ipRange }, { say }) => [say(campusWording(onCampus)), ipRange].filter(Boolean).join(' · '),
  },
  { title: 'records.ip', text: ({ ip }) => ip },
  { title: 'records.account', text: ({ account }) => account },
  { title: 'records.application', text: ({ application }) => application ?? '' },
]

type Change = z.infer<typeof MaintenanceRecord>['changes'][number]

function changeText({ field, ...values }: Change, { say, time }: ExportWords): string {
  const shown = (value: string | null): string => {
    if (value === null) return '—'
    if (field === 'list') return say(value)
    if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return time(value)
    if (value === 'true' || value === 'false') return say(value === 'true' ? 'records.yes' : 'records.no')
    return value
  }
  const name = say(`audit-field.${field}`)
  const [before, after] = [shown(values.before), shown(values.after)]
  return values.before === null ? `${name}: ${after}` : `${name}: ${before} → ${after}`
}

export const MAINTENANCE_COLUMNS: readonly ExportColumn<z.infer<typeof MaintenanceRecord>>[] = [
  { title: 'records.maintenance-time', isTime: true, text: ({ maintenanceTime }, { time }) => time(maintenanceTime) },
  { title: 'records.operation', text: ({ action }, { say }) => actionWording(action, say) },
  { title: 'records.maintainer', text: ({ by, maintainer }, { say }) => maintainer ?? say(`records.by.${by}`) },
  { title: 'records.ip', text: ({ ip }) => ip ?? '' },
  { title: 'records.browser', text: ({ browser }) => browser },
  { title: 'records.device', text: ({ device }) => device },
  {
    title: 'records.description',
    text: ({ changes, reason }, words) =>
      [...changes.map((change) => changeText(change, words)), reason].filter(Boolean).join('; '),
  },
]

export const VISIT_COLUMNS: readonly ExportColumn<z.infer<typeof VisitRecord>>[] = [
  { title: 'records.access-time', isTime: true, text: ({ accessTime }, { time }) => time(accessTime) },
  { title: 'records.application', text: ({ application }, { say }) => application ?? say('records.application-gone') },
  { title: 'records.entry', text: ({ entry }, { say }) => say(`records.entry.${entry}`) },
  { title: 'records.client-type', text: ({ clientType }, { say }) => say(`client-type.${clientType}`) },
  { title: 'records.place', text: ({ onCampus }, { say }) => say(campusWording(onCampus)) },
  { title: 'records.ip', text: ({ ip }) => ip },
]
