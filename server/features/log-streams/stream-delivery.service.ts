import { v7 } from 'uuid'
import type { LogStreamFields } from '#shared/contract/log-streams.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import { LogSinkFault, logSenders, type StreamRecord } from '../../connectors/index.ts'
import { errors as common } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { streamsService } from './log-streams.service.ts'
import { findSecret, listCursors, type StoredCursor, streamsStore } from './log-streams.store.ts'
import { advanceCursor, type Claim, recordFailure, releaseStream } from './stream-claims.store.ts'
import { findOldestTransaction, listNextRecords } from './stream-records.store.ts'

const BATCH_ROWS = 500
/** Of a batch as JSON; a longer record is sent alone. */
const BATCH_BYTES = 1024 * 1024
/** Clocks of nodes differ, and a time is read before its transaction begins. */
const SETTLE_MS = 10_000
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 15 * MINUTE_MS

type Stream = LogStreamFields & { id: string }

/** The time before which every record has been committed: newer ones are sent later. */
async function findHorizon({ db, now }: Context): Promise<Date> {
  return new Date(now().getTime() - SETTLE_MS - (await findOldestTransaction(db)))
}

const senderOf = ({ config }: Context): string => new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '')

async function send(ctx: Context, stream: Stream, records: readonly StreamRecord[]): Promise<void> {
  await logSenders(ctx)[stream.kind](stream, { records, sender: senderOf(ctx) })
}

/** With the secret decrypted. */
const openStream = async (ctx: Context, id: string): Promise<Stream> => ({
  ...(await streamsService.get(ctx, id)),
  secret: await findSecret(ctx, id),
})

/** As many of the records, from the first on, as fit into a batch. */
function fitting<T extends { record: StreamRecord }>(found: readonly T[]): T[] {
  let bytes = 0
  const at = found.findIndex(({ record }) => {
    bytes += JSON.stringify(record).length
    return bytes > BATCH_BYTES
  })
  return found.slice(0, at < 0 ? found.length : Math.max(1, at))
}

/**
 * Sends what a stream has not sent, log by log, until nothing is left or something fails. Holds no lock while waiting for the receiver, and
 * records progress batch by batch: after a kill the last batch may be sent twice.
 */
export async function deliverStream(ctx: Context, claim: Claim, isStopping: () => boolean): Promise<void> {
  try {
    const stream = await openStream(ctx, claim.id)
    let isMore: boolean
    do {
      isMore = false
      const before = await findHorizon(ctx)
      for (const cursor of await listCursors(ctx.db, [claim.id])) {
        const outcome = await sendNext(ctx, { stream, claim, cursor, before })
        if (outcome === 'lost') return
        isMore ||= outcome === 'more'
      }
    } while (isMore && !isStopping())
    await releaseStream(ctx.db, claim)
  } catch (error) {
    await noteFailure(ctx, claim, error)
  }
}

type Step = { stream: Stream; claim: Claim; cursor: StoredCursor; before: Date }

async function sendNext(ctx: Context, { stream, claim, cursor, before }: Step): Promise<'more' | 'done' | 'lost'> {
  const { log, position } = cursor
  const found = await listNextRecords(ctx.db, log, { after: position, before, limit: BATCH_ROWS })
  const batch = fitting(found)
  const last = batch.at(-1)
  if (!last) return 'done'
  await send(
    ctx,
    stream,
    batch.map(({ record }) => record),
  )
  const arrived = { log, position: last.position, count: batch.length, now: ctx.now() }
  const isHeld = await transaction(ctx, ({ db }) => advanceCursor(db, claim, arrived))
  if (!isHeld) return 'lost'
  return batch.length < found.length || found.length === BATCH_ROWS ? 'more' : 'done'
}

/** The receiver's reply may be anything. */
const shownWords = (words: string): string => cleanCell(words).slice(0, 200).toWellFormed()

async function noteFailure(ctx: Context, claim: Claim, error: unknown): Promise<void> {
  if (!(error instanceof LogSinkFault)) throw error
  const [stream] = await streamsStore.find(ctx, [claim.id])
  if (!stream) return
  const now = ctx.now()
  const next = new Date(now.getTime() + retryDelay(stream.failures, Math.random()))
  const [problem, words] = [error.problem, shownWords(error.words)]
  ctx.log.warn({ stream: claim.id, problem, words, next }, 'log stream')
  await recordFailure(ctx.db, claim, { problem, words, now, next })
}

/** Exponential backoff with jitter, so that nodes and streams do not all retry at once. */
const retryDelay = (failures: number, chance: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_MS) * (0.5 + chance / 2)

/** Tests per minute, over everybody. */
const MAX_TESTS = 20

/** Sends a test record as the stream would. @throws Refusal `resource.not-found`, `service.busy`. */
export async function testStream(ctx: Context, id: string) {
  const stream = await openStream(ctx, id)
  if ((await ctx.state.increment('log-stream-test', '', 60)) > MAX_TESTS) {
    throw common['service.busy']({ retryAfter: 60 })
  }
  try {
    await send(ctx, stream, [{ log: 'test', id: v7(), at: ctx.now().toISOString(), stream: stream.name }])
    return { problem: null, words: null }
  } catch (error) {
    if (!(error instanceof LogSinkFault)) throw error
    return { problem: error.problem, words: shownWords(error.words) || null }
  }
}
