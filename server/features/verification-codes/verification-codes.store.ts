import { latestIssueTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'

type CodeLimit = { key: Buffer; most: number; seconds: number }

/**
 * Takes one of `most` per period, in one statement: parallel callers together get no more.
 * @returns null if it was taken, else when the next period begins.
 */
export async function takeFromLimit(db: Db, { key, most, seconds }: CodeLimit, now: Date): Promise<Date | null> {
  const until = new Date(now.getTime() + seconds * 1000)
  const result = await db`
    insert into verification_code_limits as l (key, used, until) values (${key}, 1, ${until})
    on conflict (key) do update set
      used = case when l.until <= ${now} then 1 else l.used + 1 end,
      until = case when l.until <= ${now} then excluded.until else l.until end
    where l.until <= ${now} or l.used < ${most}`
  if (result.count > 0) return null
  const [row] = await db<{ until: Date }[]>`select until from verification_code_limits where key = ${key}`
  return row?.until ?? until
}

/** How many are taken in the current period of each, in the order of `keys`. */
export async function listLimitUses(db: Db, keys: readonly Buffer[], now: Date): Promise<number[]> {
  const rows = await db<{ used: number }[]>`
    select coalesce(l.used, 0)::int as used
    from unnest(${keys.map((key) => key.toString('hex'))}::text[]) with ordinality as k (key, position)
      left join verification_code_limits l on l.key = decode(k.key, 'hex') and l.until > ${now}
    order by k.position`
  return rows.map(({ used }) => used)
}

/** The state of one limit; null: not used recently. */
export async function findLimitUse(db: Db, key: Buffer, now: Date): Promise<{ used: number; until: Date } | null> {
  const [row] = await db<{ used: number; until: Date }[]>`
    select used::int, until from verification_code_limits where key = ${key} and until > ${now}`
  return row ?? null
}

export async function deleteLimit(db: Db, key: Buffer): Promise<void> {
  await db`delete from verification_code_limits where key = ${key}`
}

/** The last wrong attempt in a slot that has had `most` of them since; null if attempts are allowed. */
export async function findLockedSlot(db: Db, slot: Buffer, most: number, since: Date): Promise<Date | null> {
  const [row] = await db<{ lastTryAt: Date }[]>`
    select last_try_at from verification_codes
    where slot = ${slot} and used_at is null and tries >= ${most} and last_try_at > ${since}`
  return row?.lastTryAt ?? null
}

type CodeInput = { slot: Buffer; codeHash: Buffer; at: Date; expiresAt: Date; triesCountSince: Date }

/** Stores a code in its slot, replacing the former; wrong attempts continue to count. */
export async function saveCode(db: Db, c: CodeInput): Promise<void> {
  await db`
    insert into verification_codes as v (slot, code_hash, sent_at, expires_at)
    values (${c.slot}, ${c.codeHash}, ${c.at}, ${c.expiresAt})
    on conflict (slot) do update set
      code_hash = excluded.code_hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, used_at = null,
      tries = case when v.used_at is null and v.last_try_at > ${c.triesCountSince} then v.tries else 0 end`
}

type CodeAttempt = { slot: Buffer; codeHash: Buffer; userId: string | null; most: number; at: Date }

/**
 * Consumes a code, or counts a wrong attempt, in one statement: of parallel correct ones exactly one succeeds. A code sent before its
 * person was appointed counts as wrong.
 * @returns null if there is none to be tried.
 */
export async function consumeCode(db: Db, t: CodeAttempt): Promise<{ right: boolean; tries: number } | null> {
  const fits = db`(code_hash = ${t.codeHash} and not exists (
    select from users u where u.id = ${t.userId}::uuid and u.appointed_at >= sent_at))`
  const [row] = await db<{ right: boolean; tries: number }[]>`
    update verification_codes set
      used_at = case when ${fits} then ${t.at}::timestamptz end,
      tries = case when ${fits} then tries else tries + 1 end,
      last_try_at = ${t.at}
    where slot = ${t.slot} and used_at is null and expires_at > ${t.at} and sent_at <= ${latestIssueTime(t.at)}
      and tries < ${t.most}
    returning used_at is not null as right, tries`
  return row ?? null
}

export async function deleteOldCodes(db: Db, before: Date, now: Date): Promise<void> {
  await db`delete from verification_codes where expires_at < ${before}`
  await db`delete from verification_code_limits where until < ${now}`
}

/** The phone or mailbox that a person has bound. */
export async function findBoundTarget(db: Db, userId: string, channel: 'sms' | 'mail'): Promise<string | null> {
  const column = channel === 'sms' ? db`phone` : db`mailbox`
  const [row] = await db<{ target: string | null }[]>`
    select ${column} as target from users where id = ${userId} and deleted_at is null`
  return row?.target ?? null
}
