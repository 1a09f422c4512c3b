import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { loadInstitutionZone } from '../messages/index.ts'
import { countAllPeople } from '../organizations/index.ts'
import { deleteLogHoursBefore, recountLog } from './log-hours.store.ts'
import {
  beginProgress,
  countActivity,
  countStates,
  deleteHoursBefore,
  deleteOldDayPeople,
  findFigureTime,
  type HourRange,
  lockProgress,
  type OldestRecords,
  oldestRecords,
  recountApplications,
  recountCalls,
  recountLogins,
  recountPeople,
  rewindProgress,
  saveProgress,
  upsertFigure,
} from './roll-up.store.ts'

/** Of what is cached of the records by hour. */
export const LOG_HOURS_TOPIC = 'log hours'

/** An hour is final this long after its end: nothing answered before is written later. */
const HOUR_CLOSE_DELAY_MS = 15 * MINUTE_MS
/** Hours per transaction when catching up. */
const MAX_STEP_MS = DAY_MS
/** A run that has not caught up by then continues in the next minute. */
const MAX_RUN_MS = 20_000
/** Records written so late are counted too, when their hours are recounted at night. */
const MAX_LATE_MS = 2 * DAY_MS
const RETENTION_DAYS = 400
const STATES_EVERY_MS = 5 * MINUTE_MS
/** Seen within this time means active. */
const ACTIVE_MS = 15 * MINUTE_MS

const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)
const settledAt = (time: Date): Date => hourOf(new Date(time.getTime() - MAX_LATE_MS))
function earliest(...times: (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map(Number)
  return known.length > 0 ? new Date(Math.min(...known)) : null
}

/**
 * Every minute: counts the records of hours that are not final. An hour's figures are replaced, never added to, so an interrupted or
 * repeated run, or two nodes at once, give the same figures; records before the open hours are not read.
 */
export async function rollUp(platform: Platform): Promise<void> {
  const began = performance.now()
  const zone = await loadInstitutionZone(platform)
  while ((await countStep(platform, zone)) && performance.now() - began < MAX_RUN_MS);
  await platform.cache.invalidate(platform.sql, LOG_HOURS_TOPIC)
  await countFigures(platform)
}

/** From then on figures are complete: by days of UTC, of which the oldest is deleted as a whole. */
export const figuresKeptSince = (now: Date): Date =>
  new Date(Math.ceil((now.getTime() - RETENTION_DAYS * DAY_MS) / DAY_MS) * DAY_MS)

/** Nightly: recounts what may have been written late since the last time, and deletes figures older than the records' retention. */
export async function recountLateRecords(platform: Platform): Promise<void> {
  const now = platform.now()
  const zone = await loadInstitutionZone(platform)
  const settled = settledAt(now)
  await rewindProgress(platform.sql, { from: settled, settled, zone })
  const kept = new Date(now.getTime() - RETENTION_DAYS * DAY_MS)
  await deleteHoursBefore(platform.sql, kept)
  await deleteLogHoursBefore(platform.sql, kept)
  await rollUp(platform)
}

/** Counts up to a day of hours. @returns whether there are more */
async function countStep(platform: Platform, zone: string): Promise<boolean> {
  return await transaction(systemContext(platform), async ({ db, now }: Context) => {
    const thisHour = hourOf(now())
    const oldest = await oldestRecords(db)
    const first = earliest(oldest.logins, oldest.visits, oldest.calls) ?? thisHour
    const settledUntil = settledAt(now())
    await beginProgress(db, first, settledUntil)
    let progress = await lockProgress(db)
    if (progress && first < progress.firstHour) {
      // Records from before the first known hour were imported.
      await saveProgress(db, { ...progress, firstHour: first })
      await rewindProgress(db, { from: first, settled: settledUntil, zone })
      progress = await lockProgress(db)
    }
    const from = progress?.countedUntil ?? first
    const end = new Date(thisHour.getTime() + HOUR_MS)
    const to = new Date(Math.min(from.getTime() + MAX_STEP_MS, end.getTime()))
    if (from < to) await countSpan(db, { from, to }, oldest, zone)
    const settled = hourOf(new Date(now().getTime() - HOUR_CLOSE_DELAY_MS))
    const countedUntil = new Date(Math.max(from.getTime(), Math.min(to.getTime(), settled.getTime())))
    await saveProgress(db, { countedUntil, firstHour: progress?.firstHour ?? first })
    await deleteOldDayPeople(db, countedUntil, zone)
    return to < end
  })
}

/** Figures of hours whose records are already deleted stay. */
async function countSpan(db: Context['db'], span: HourRange, oldest: OldestRecords, zone: string): Promise<void> {
  const since = (first: Date | null): HourRange | null => {
    if (!first || first >= span.to) return null
    return { from: first > span.from ? first : span.from, to: span.to }
  }
  const logins = since(oldest.logins)
  const visits = since(earliest(oldest.visits, oldest.logins))
  const calls = since(oldest.calls)
  if (logins) {
    await recountLogins(db, logins)
    await recountLog(db, 'login', logins)
  }
  const visitsOnly = since(oldest.visits)
  if (visitsOnly) await recountLog(db, 'visit', visitsOnly)
  if (visits) await recountApplications(db, visits)
  if (calls) await recountCalls(db, calls)
  await recountPeople(db, span, zone)
}

/** What is not summed from records: who is active now, and how many people are in which state. */
async function countFigures(platform: Platform): Promise<void> {
  const { sql } = platform
  const now = platform.now()
  const active = await countActivity(sql, now, new Date(now.getTime() - ACTIVE_MS))
  await upsertFigure(sql, 'active', active, now)
  const age = await findFigureTime(sql, 'people')
  if (age && now.getTime() - age.getTime() < STATES_EVERY_MS) return
  const [total, states] = await Promise.all([countAllPeople(sql), countStates(sql, now)])
  await upsertFigure(sql, 'people', { total, ...states }, now)
}
