import { DAY_MS } from '#shared/rules/durations.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { type MassNotice, notifyPeople } from '../messages/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { lockDormant, makeDormant } from '../user-accounts/index.ts'
import { errors } from './dormancy.errors.ts'
import { beyond, isTooMuch, type SweepCounts } from './dormancy.rules.ts'
import {
  countDue,
  type DuePerson,
  findLatestRun,
  findRun,
  insertRun,
  listSuperUserIds,
  lockDuePeople,
  lockSweep,
  nextBatch,
  type Run,
  type Terms,
  updateRun,
} from './dormancy.store.ts'
import { NOTICE_DAYS, tellDue } from './notices.service.ts'
import { findSpared } from './spared.service.ts'
import { loadTerms, loadWording, type NoticeWording } from './terms.service.ts'

/** `confirmed`: how many people it may affect, as somebody has seen before they confirmed it; null: nobody has. */
export type SweepInput = { confirmed: SweepCounts | null }

/** People per transaction, which includes its progress mark. */
const BATCH = 5000

/**
 * Processes everybody once: whoever has not logged in for the term becomes dormant, whoever stays dormant for the second one is locked, and
 * both are notified before. A finished batch is marked in its transaction, so a killed run continues after it; a second run finds nothing
 * to do. @throws Refusal `dormancy.held` before anything is done if it would affect too many at once.
 */
export async function sweep(ctx: Context, task: RunningTask): Promise<SweepCounts> {
  const begun = await findRun(ctx.db, task.id)
  const terms = await loadTerms(ctx, begun?.at ?? ctx.now())
  if (terms.afterDays === 0) return { people: 0, dormant: 0, locked: 0, told: 0 }
  let run = begun ?? (await beginRun(ctx, task, terms))
  if (run.held) throw errors['dormancy.held']({ params: toParams(run) })
  const wording = await loadWording(ctx, terms.at)
  let walked = task.done
  while (!task.cancelled()) {
    const next = await transaction(ctx, (inner) => sweepBatch(inner, { task, run, terms, wording, walked }))
    if (!next) break
    run = next.run
    walked = next.walked
  }
  const { people, dormant, locked, told } = run
  return { people, dormant, locked, told }
}

const toParams = ({ people, dormant, locked, told }: SweepCounts) => ({ people, dormant, locked, told })

async function beginRun(ctx: Context, task: RunningTask, terms: Terms): Promise<Run> {
  const due = await countDue(ctx.db, terms)
  const { confirmed } = task.input as SweepInput
  const held = isTooMuch(confirmed ? beyond(due, confirmed) : due)
  const counts = held ? due : { people: due.people, dormant: 0, locked: 0, told: 0 }
  const run = { taskId: task.id, at: terms.at, held, ...counts }
  await transaction(ctx, async (inner) => {
    if (held) await reportHold(inner, run)
    await insertRun(inner.db, run)
  })
  return { ...run, after: '00000000-0000-0000-0000-000000000000' }
}

/** Super users are notified once, not each night that it is held. */
async function reportHold(ctx: Context, run: Omit<Run, 'after'>): Promise<void> {
  await recordAudit(ctx, { action: 'dormancy.hold', targetKind: 'task', targetId: run.taskId, after: toParams(run) })
  if ((await findLatestRun(ctx.db))?.held) return
  const expiresAt = new Date(run.at.getTime() + NOTICE_DAYS * DAY_MS)
  const people = await listSuperUserIds(ctx.db)
  const template = 'notice.dormancy-held'
  const notices = people.map(({ id }): MassNotice => ({ userId: id, template, params: toParams(run), expiresAt }))
  const { language, notBefore } = await loadWording(ctx, run.at)
  await notifyPeople(ctx, notices, { language, notBefore })
}

type Batch = { task: RunningTask; run: Run; terms: Terms; wording: NoticeWording; walked: number }

async function sweepBatch(ctx: Context, { task, run, terms, wording, walked }: Batch) {
  await lockSweep(ctx.db)
  const batch = await nextBatch(ctx.db, run.after, BATCH)
  if (!batch) return null
  const due = await lockDuePeople(ctx.db, terms, { after: run.after, last: batch.last })
  const ended = due.filter(({ daysBefore }) => daysBefore === null)
  const locked = await lockDormantPeople(ctx, ended, terms.at)
  const dormant = await markDormant(ctx, ended, terms.at)
  const told = await tellDue(ctx, due, wording)
  const done: Run = {
    ...run,
    after: batch.last,
    dormant: run.dormant + dormant,
    locked: run.locked + locked,
    told: run.told + told,
  }
  await updateRun(ctx.db, done)
  await task.progress(walked + batch.people, ctx.db)
  return { run: done, walked: walked + batch.people }
}

/** All of these, except the super users who are spared. */
async function withoutSpared(
  ctx: Context,
  people: readonly DuePerson[],
  how: Parameters<typeof findSpared>[2],
): Promise<DuePerson[]> {
  const superUsers = people.filter(({ isSuperUser }) => isSuperUser).map(({ id }) => id)
  const spared = await findSpared(ctx.db, superUsers, how)
  return people.filter(({ id }) => !spared.has(id))
}

async function markDormant(ctx: Context, ended: readonly DuePerson[], at: Date): Promise<number> {
  const awake = ended.filter(({ dormantSince }) => dormantSince === null)
  const people = await withoutSpared(ctx, awake, { at, term: 'dormant' })
  if (people.length === 0) return 0
  const ids = people.map(({ id }) => id)
  await makeDormant(ctx.db, ids, at)
  const line = { action: 'account.dormant', targetKind: 'user' }
  await recordAudits(
    ctx,
    people.map(({ id, account }) => ({
      ...line,
      targetId: id,
      before: { account, dormantSince: null },
      after: { account, dormantSince: at },
    })),
  )
  return people.length
}

async function lockDormantPeople(ctx: Context, ended: readonly DuePerson[], at: Date): Promise<number> {
  const dormant = ended.filter(({ dormantSince }) => dormantSince !== null)
  const people = await withoutSpared(ctx, dormant, { at, term: 'lock' })
  if (people.length === 0) return 0
  const ids = people.map(({ id }) => id)
  await lockDormant(ctx.db, ids, at)
  await endSsoSessions(ctx, { userIds: ids }, 'account')
  const line = { action: 'account.lock-dormant', targetKind: 'user' }
  await recordAudits(
    ctx,
    people.map(({ id, account, dormantSince }) => ({
      ...line,
      targetId: id,
      before: { account, dormantSince, lockedAt: null },
      after: { account, dormantSince, lockedAt: at },
    })),
  )
  return people.length
}
