import type { PendingQuery, Row } from 'postgres'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import type { UndeliveredCode } from '#shared/contract/undelivered-codes.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type PageWindow, type Total } from '../../platform/list.ts'

/** SQL: the given-up message `m` was a code, and no other channel of its route delivered it or still may. */
export const isUndeliveredCode = (db: Db): PendingQuery<Row[]> => db`
  m.template like 'code.%'
  and not exists (select from messages o where o.id = m.route_id and o.state in ('pending', 'sent'))
  and not exists (
    select from messages o where o.route_id = coalesce(m.route_id, m.id) and o.id <> m.id and o.state in ('pending', 'sent'))`

type CodeFilter = { channel: MessageChannel | null; from: Date | null; to: Date | null }

const codes = (db: Db, { channel, from, to }: CodeFilter) => db`
  from messages m
  where m.state in ('failed', 'expired') and ${isUndeliveredCode(db)} ${channel ? db`and m.channel = ${channel}` : db``}
    ${from ? db`and m.finished_at >= ${from}` : db``} ${to ? db`and m.finished_at < ${to}` : db``}`

export const countCodes = (db: Db, filter: CodeFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${codes(db, filter)}`)

type CodeRow = Omit<UndeliveredCode, 'at'> & { at: Date }

export const pageOfCodes = (db: Db, filter: CodeFilter, { limit, offset }: PageWindow) => db<CodeRow[]>`
  select m.id, m.finished_at as at, m.channel, m.template, m.masked_to as "to", m.state, m.reason, m.user_id,
    u.name as person, u.account as "personAccount"
  from (
    select m.* ${codes(db, filter)} order by m.finished_at desc, m.id desc limit ${limit} offset ${offset}) m
    left join users u on u.id = m.user_id
  order by m.finished_at desc, m.id desc`
