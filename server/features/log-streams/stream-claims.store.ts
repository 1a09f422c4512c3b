import type { RecordKind } from '#shared/contract/record-retention.ts'
import type { Db } from '../../platform/db.ts'
import type { Position } from './stream-records.store.ts'

/** A stream that this node is sending. */
export type Claim = { id: string; sender: string }

/** After this time a claim is considered abandoned by a dead node. */
const CLAIM_SECONDS = 60

/** Streams that are due and not being sent. */
export const claimStreams = (db: Db, { sender, now }: { sender: string; now: Date }) => db<
  { id: string; failures: number }[]
>`
  update log_streams set sender = ${sender}, sender_until = ${now}::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
  where id in (
    select id from log_streams
    where enabled and (next_attempt_at is null or next_attempt_at <= ${now}) and (sender_until is null or sender_until <= ${now})
    for update skip locked)
  returning id, failures`

/** @returns false: somebody else claimed it, or it was changed meanwhile */
async function renew(db: Db, { id, sender }: Claim, now: Date): Promise<boolean> {
  const rows = await db`
    update log_streams set sender_until = ${now}::timestamptz + make_interval(secs => ${CLAIM_SECONDS}), failures = 0, sent_at = ${now}
    where id = ${id} and sender = ${sender} and enabled and sender_until > ${now} returning id`
  return rows.length > 0
}

type Arrived = { log: RecordKind; position: Position; count: number; now: Date }

/** Records that a batch has arrived; inside a transaction. @returns false: this node no longer holds the stream, and nothing is recorded */
export async function advanceCursor(db: Db, claim: Claim, { log, position, count, now }: Arrived): Promise<boolean> {
  if (!(await renew(db, claim, now))) return false
  await db`
    update log_stream_cursors set at = ${position.at}::text::timestamptz, record_id = ${position.id}, sent = sent + ${count}
    where stream_id = ${claim.id} and log = ${log}`
  return true
}

export async function releaseStream(db: Db, { id, sender }: Claim): Promise<void> {
  await db`
    update log_streams set sender = null, sender_until = null, next_attempt_at = null where id = ${id} and sender = ${sender}`
}

type Failure = { problem: string; words: string; now: Date; next: Date }

/** What was not sent waits for the next attempt. */
export async function recordFailure(
  db: Db,
  { id, sender }: Claim,
  { problem, words, now, next }: Failure,
): Promise<void> {
  await db`
    update log_streams set sender = null, sender_until = null, failures = failures + 1, next_attempt_at = ${next},
      problem = ${problem}, problem_words = ${words}, problem_at = ${now}
    where id = ${id} and sender = ${sender}`
}
