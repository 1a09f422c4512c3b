import type { MessageChannel } from '#shared/contract/message-routes.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { type AccountFacts, accountFactColumns } from '../access/index.ts'
import { type LoginHolds, loginHoldColumns } from '../attempts/index.ts'

type JudgedRow = AccountFacts & LoginHolds & { lastLoginAt: Date | null }

export async function findJudged(
  db: Db,
  { id, now, visible }: { id: string; now: Date; visible: SqlFragment },
): Promise<JudgedRow | null> {
  const [row] = await db<JudgedRow[]>`
    select ${accountFactColumns(db)}, ${loginHoldColumns(db, now)}, u.last_login_at
    from users u where u.id = ${id} and ${visible}`
  return row ?? null
}

type FailureRow = { at: Date; reason: string | null; ip: string; succeeded: boolean; rules: string[] }

/** The last login attempt after a moment, and the rules in force that did more than allow it. */
export async function findLastTry(db: Db, userId: string, after: Date | null): Promise<FailureRow | null> {
  const [row] = await db<FailureRow[]>`
    select r.at, r.reason, host(r.ip) as ip, r.succeeded, array(
      select said.name from jsonb_to_recordset(coalesce(r.rule_outcomes, '[]')) as said(name text, outcome text, mode text)
      where said.mode = 'on' and said.outcome = 'refuse') as rules
    from login_records r where r.user_id = ${userId} ${after ? db`and r.at >= ${after}` : db``}
    order by r.at desc limit 1`
  return row ?? null
}

type CodeRow = {
  at: Date
  channel: MessageChannel
  to: string
  state: 'pending' | 'sent' | 'failed' | 'expired'
  reason: string | null
  code: string | null
  words: string | null
}

export async function findLastCode(db: Db, userId: string, since: Date): Promise<CodeRow | null> {
  const [row] = await db<CodeRow[]>`
    select created_at as at, channel, masked_to as "to", state, reason, error_code as code, last_error as words
    from messages where user_id = ${userId} and created_at > ${since} and template like 'code.%'
    order by created_at desc limit 1`
  return row ?? null
}
