import { setTimeout as pause } from 'node:timers/promises'
import { RECORD_KINDS, type RecordKind } from '#shared/contract/record-retention.ts'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import {
  digestHour,
  findLastLink,
  findOldestRecord,
  insertLink,
  type Link,
  lockChain,
} from './record-evidence.store.ts'
import { appendSeal } from './seal-file.store.ts'

/** What is written in an hour is committed long before another has passed. */
const SETTLE_MS = HOUR_MS
/** A run that has not caught up by then continues in the next. */
const MAX_RUN_MS = 20_000
/** Even after an hour that took long. */
const MAX_REST_MS = 1000
/** The predecessor of the first hour. */
export const BEGINNING = ''

function timeLimit(ms: number): () => boolean {
  const deadline = performance.now() + ms
  return () => performance.now() > deadline
}

/** The sealed text: whoever changes a record can't produce a matching seal. */
export const sealedText = (log: RecordKind, link: Pick<Link, 'until' | 'rows' | 'digest'>, previous: string): string =>
  [log, link.until.toISOString(), link.rows, previous, link.digest].join(' ')

const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)

/**
 * Seals completed hours, for each log from the last one sealed, or from its oldest record: after an outage an hour of each log in turn, with
 * a rest as long as the work after each, a second at most, so that none waits for another, nor logins for them. The newest seal is signed and
 * written to the program's log and the archive folder: stored outside the database, it also reveals if the end of the chain was removed and
 * recreated.
 * @param isOver asked after each turn of all logs, whether the rest waits for the next run
 * @throws the first thing that kept a log from being sealed or published, once all others are
 */
export async function sealHours(ctx: Context, isOver = timeLimit(MAX_RUN_MS)): Promise<void> {
  const heads = new Map<RecordKind, SealedLink>()
  const faults: unknown[] = []
  const noteFault = (error: unknown) => {
    faults.push(error)
    return null
  }
  let behind: readonly RecordKind[] = RECORD_KINDS
  do {
    const sealed: RecordKind[] = []
    for (const log of behind) {
      const began = performance.now()
      const link = await sealNext(ctx, log).catch(noteFault)
      if (!link) continue
      heads.set(log, link)
      sealed.push(log)
      await pause(Math.min(performance.now() - began, MAX_REST_MS))
    }
    behind = sealed
  } while (behind.length > 0 && !isOver())
  for (const [log, head] of heads) await publish(ctx, log, head).catch(noteFault)
  if (faults.length > 0) throw faults[0]
}

type SealedLink = Link & { previous: string }

async function publish({ log: logger, secrets, config }: Context, log: RecordKind, head: SealedLink): Promise<void> {
  const { until, rows, previous, digest } = head
  const signature = secrets.sign(sealedText(log, head, previous))
  const seal = { log, until: until.toISOString(), rows, previous, digest, signature }
  logger.info(seal, 'records sealed')
  if (config.recordArchiveDir) await appendSeal(config.recordArchiveDir, seal)
}

/** @returns null: no hour is complete yet, or another node is running */
const sealNext = (ctx: Context, log: RecordKind): Promise<SealedLink | null> =>
  transaction(ctx, async ({ db, now, secrets }) => {
    if (!(await lockChain(db))) return null
    const last = await findLastLink(db, log)
    const from = last?.until ?? (await beginningOf(db, log))
    if (!from) return null
    const until = new Date(from.getTime() + HOUR_MS)
    if (until.getTime() + SETTLE_MS > now().getTime()) return null
    const previous = last?.digest ?? BEGINNING
    const counted = { until, ...(await digestHour(db, log, { from, until, previous })) }
    const link = { ...counted, seal: secrets.seal(sealedText(log, counted, previous)) }
    await insertLink(db, log, link)
    return { ...link, previous }
  })

async function beginningOf(db: Context['db'], log: RecordKind): Promise<Date | null> {
  const oldest = await findOldestRecord(db, log)
  return oldest && hourOf(oldest)
}
