import { isDeepStrictEqual } from 'node:util'
import { latestIssueTime } from '../../platform/clock.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { runWorkQueue } from '../../platform/work-queue.ts'
import { type Restorer, recordAudit, type Snapshot } from '../records/index.ts'
import { errors } from './unconfirmed-changes.errors.ts'
import {
  CHANNEL,
  deleteSettled,
  listDue,
  lockOpen,
  type OpenRow,
  postpone,
  settle,
} from './unconfirmed-changes.store.ts'

type Restorers = Readonly<Record<string, Restorer>>

/** Which fields of the change to reverse: all, or only those that lock out. */
type Reach = 'all' | 'locking'

const changedFields = ({ before, after }: OpenRow): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )

/** Fields changed again since then keep their new value: that author knew more. */
function stateToRestore(current: Snapshot, row: OpenRow, fields: readonly string[]): Snapshot {
  const mine = fields.filter((field) => isDeepStrictEqual(current[field], row.after[field]))
  const kept = Object.entries(current).filter(([field]) => !mine.includes(field))
  const former = Object.entries(row.before).filter(([field]) => mine.includes(field))
  return Object.fromEntries([...kept, ...former])
}

/** Fields of the change that don't have their former value. */
const fieldsLeft = (row: OpenRow, state: Snapshot): string[] =>
  changedFields(row).filter((field) => !isDeepStrictEqual(state[field], row.before[field]))

type GoingBack = { outcome: 'taken-back' | 'went-back'; reach: Reach }

/** @returns the fields left unchanged; null: it is no longer pending. @throws Refusal of the target's rules; nothing is written then. */
async function goBackInTransaction(
  ctx: Context,
  restorers: Restorers,
  id: string,
  { outcome, reach }: GoingBack,
): Promise<string[] | null> {
  const row = await lockOpen(ctx.db, id)
  if (!row) return null
  const { targetKind, targetId } = row
  const restorer = restorers[targetKind]
  if (!restorer) throw new Error(`nobody restores ${targetKind}`)
  const stand = async () => (await restorer.current(ctx, [targetId])).get(targetId)
  const before = await stand()
  if (before) {
    const wanted = stateToRestore(before.snapshot, row, reach === 'all' ? changedFields(row) : row.fields)
    // As the system: whether the former state locks the caller out doesn't matter.
    if (!isDeepStrictEqual(before.snapshot, wanted))
      await restorer.restore({ ...ctx, caller: null }, targetId, wanted, before.version)
  }
  const after = await stand()
  const leftFields = after ? fieldsLeft(row, after.snapshot) : []
  await settle(ctx.db, id, { at: ctx.now(), outcome, leftFields })
  const action = outcome === 'went-back' ? 'change.go-back' : 'change.take-back'
  await recordAudit(ctx, { action, targetKind, targetId, before: before?.snapshot, after: after?.snapshot })
  return leftFields
}

/** Retries if somebody else saved in between. */
const MAX_TRIES = 3

/** The whole change; if the rules no longer allow that, only what locks out. */
async function goBack(
  ctx: Context,
  restorers: Restorers,
  id: string,
  outcome: GoingBack['outcome'],
): Promise<string[] | null> {
  const attempt = (reach: Reach) =>
    transaction(ctx, (inner) => goBackInTransaction(inner, restorers, id, { outcome, reach }))
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt('all')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isOvertaken = error.code === 'version.conflict' && tries < MAX_TRIES
      if (!isOvertaken) return await attempt('locking')
    }
  }
}

/** Reverses a pending change. @throws Refusal `unconfirmed-change.not-found`. */
export async function takeBack(ctx: Context, restorers: Restorers, id: string): Promise<{ leftFields: string[] }> {
  const leftFields = await goBack(ctx, restorers, id, 'taken-back')
  if (leftFields === null) throw errors['unconfirmed-change.not-found']()
  return { leftFields }
}

const RETRY_MS = 60_000

/** Reverses whatever is due. @returns seconds until the next one is; null: none is pending */
export async function goBackWhenDue(platform: Platform, restorers: Restorers): Promise<number | null> {
  const ctx = systemContext(platform)
  const waiting = await listDue(platform.sql)
  const now = platform.now()
  // Saved in the future: the clock was set back, and by it alone the change would stay for as long as it had been wrong.
  const isDue = ({ madeAt, dueAt }: (typeof waiting)[number]) => dueAt <= now || madeAt > latestIssueTime(now)
  for (const { id } of waiting.filter(isDue)) {
    try {
      await goBack(ctx, restorers, id, 'went-back')
    } catch (err) {
      platform.log.error({ err, id }, 'an unconfirmed change could not go back, trying again in a minute')
      await postpone(platform.sql, id, new Date(now.getTime() + RETRY_MS))
    }
  }
  const next = waiting.find((one) => !isDue(one))
  return next ? (next.dueAt.getTime() - now.getTime()) / 1000 : null
}

/**
 * Runs as long as the server, on every node: changes saved before a crash or by a node that is gone are reversed too, at their time or
 * within five seconds of a start.
 */
export const watchUnconfirmedChanges = (platform: Platform, restorers: Restorers): Promise<{ stop(): Promise<void> }> =>
  runWorkQueue(platform, {
    channel: CHANNEL,
    name: 'unconfirmed changes',
    async claimDue(poller) {
      const seconds = await goBackWhenDue(platform, restorers)
      // Later ones are found by the poll every five seconds.
      if (seconds !== null && seconds < 5) poller.pollIn(seconds)
    },
  })

const KEPT_MS = 24 * 3600_000

/** Job, each night; the results stay in the change history. */
export async function purgeUnconfirmedChanges(platform: Platform): Promise<void> {
  await deleteSettled(platform.sql, new Date(platform.now().getTime() - KEPT_MS))
}
