import type { LOGGED_PURPOSES, LOGGED_RESULTS, MESSAGE_STATES } from '#shared/contract/message-log.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'
import type { Db } from '../../platform/db.ts'
import { isUndeliveredCode } from '../messages/index.ts'
import type { Excluded } from './log-filter.types.ts'
import { equalities, keyColumns, type LineRow, type LogSource, peopleColumns } from './log-search.store.ts'
import { exclusions } from './record-sources.store.ts'

export type LoggedPurpose = (typeof LOGGED_PURPOSES)[number]

export type MessageFilter = {
  userId: string | null
  channel: MessageChannel | null
  state: (typeof LOGGED_RESULTS)[number] | null
  /** Any of these; null: all. */
  templates: readonly TemplateName[] | null
  /** Any of these; null: all. */
  receivers: readonly Buffer[] | null
  without: readonly Excluded[]
  /** None of these. */
  withoutTemplates: readonly TemplateName[]
}

export type SendingRow = {
  id: string
  at: Date
  channel: MessageChannel
  template: TemplateName
  to: string
  state: (typeof MESSAGE_STATES)[number]
  attempts: number
  reason: string | null
  code: string | null
  words: string | null
  finishedAt: Date | null
}
export type MessageRow = LineRow &
  SendingRow & {
    next: MessageChannel | null
    expiresAt: Date
    nextAttemptAt: Date
    gateway: string | null
    gatewayId: string | null
    routeId: string | null
  }

const sendingColumns = (db: Db) => db`
  r.channel, r.template, r.masked_to as "to", r.state, r.attempts, r.reason, r.error_code as code, r.last_error as words, r.finished_at`

/** No value of a column, but a condition. */
const isUndelivered = ({ name, value }: Excluded) => name === 'state' && value === 'undelivered-code'

const toHex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

export const messageSource = ({
  userId,
  channel,
  state,
  templates,
  receivers,
  without,
  withoutTemplates,
}: MessageFilter): LogSource => ({
  table: 'messages',
  conditions: (db) => db`
    ${equalities(db, { user_id: userId, channel, state: state === 'undelivered-code' ? null : state })}
    ${state === 'undelivered-code' ? db`and ${isUndeliveredCode(db)}` : db``}
    ${templates ? db`and r.template = any(${templates as TemplateName[]})` : db``}
    ${receivers ? db`and r.target_hash = any(array(select decode(h, 'hex') from unnest(${toHex(receivers)}::text[]) h))` : db``}
    ${withoutTemplates.length > 0 ? db`and r.template <> all(${withoutTemplates as TemplateName[]})` : db``}
    ${without.some(isUndelivered) ? db`and not (${isUndeliveredCode(db)})` : db``}
    ${exclusions(
      db,
      without.filter((one) => !isUndelivered(one)),
    )}`,
  columns: (db, language) => db`
    ${keyColumns(db)}, ${sendingColumns(db)}, ${peopleColumns(db, language)}, r.expires_at, r.next_attempt_at,
    r.gateway, r.gateway_id, r.route_id,
    (select n.channel from messages n where n.route_id = coalesce(r.route_id, r.id) and (n.created_at, n.id) > (r.at, r.id)
      order by n.created_at, n.id limit 1) as next`,
  joins: (db) => db``,
  occurrences: null,
})

/** Not more than there are channels. */
const MAX_OF_ROUTE = 10

/** Every message of a route, in order. @param first the id of its first one */
export const listRoute = (db: Db, first: string) => db<SendingRow[]>`
  select r.id, r.created_at as at, ${sendingColumns(db)} from messages r
  where r.id = ${first} or r.route_id = ${first} order by r.created_at, r.id limit ${MAX_OF_ROUTE}`
