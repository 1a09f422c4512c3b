import type { z } from 'zod'
import type { ClientType } from '#shared/contract/list-filters.ts'
import { type InsightKind, LogInsightSettings } from '#shared/contract/log-insights.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import {
  listFailing,
  listFirstLogins,
  listHops,
  listLostCodes,
  listRefusing,
  listSpraying,
} from './insight-search.store.ts'
import type { Found, Span } from './log-insights.types.ts'

export const SETTINGS_DOCUMENT = 'logInsights'

export const loadSettings = (platform: Platform & { db?: Db }): Promise<LogInsightSettings> =>
  readSettings(platform, SETTINGS_DOCUMENT, LogInsightSettings)

type Search = (db: Db, span: Span, settings: LogInsightSettings) => Promise<Omit<Found, 'kind'>[]>

const nobody = { userId: null, applicationId: null }

/** The number of records counted and their period, so that the link opens exactly these. */
const counted = (records: number, firstAt: Date, lastAt: Date) => ({
  records,
  from: firstAt.toISOString(),
  // Exclusive.
  to: new Date(lastAt.getTime() + 1).toISOString(),
})

async function findSpraying(db: Db, span: Span, settings: LogInsightSettings) {
  const rows = await listSpraying(db, span, settings)
  const minutes = settings.sprayMinutes
  return rows.map(({ address, records, ...times }) => {
    const facts = { address, minutes, ...counted(records, times.firstAt, times.lastAt) }
    return { ...times, ...nobody, subject: address, facts }
  })
}

async function findFailing(db: Db, span: Span, settings: LogInsightSettings) {
  const rows = await listFailing(db, span, settings)
  const hours = settings.failedHours
  return rows.map((row) => {
    const facts = { hours, ...counted(row.count, row.firstAt, row.lastAt) }
    return { ...nobody, ...row, subject: row.userId, facts }
  })
}

const findFirst =
  (column: 'ip_range' | 'client_type'): Search =>
  async (db, span, settings) => {
    const rows = await listFirstLogins(db, span, column, settings)
    return rows.map(({ userId, value, at, formerAt, count }) => ({
      ...nobody,
      userId,
      count,
      subject: `${userId} ${value}`,
      firstAt: at,
      lastAt: at,
      facts: {
        ...(column === 'ip_range' ? { range: value } : { clientType: value as z.infer<typeof ClientType> }),
        // The earlier logins and this one.
        ...counted(count + 1, formerAt, at),
      },
    }))
  }

async function findHops(db: Db, span: Span, settings: LogInsightSettings) {
  const rows = await listHops(db, span, settings)
  return rows.map(({ userId, range, formerRange, at, formerAt, records }) => {
    const minutes = Math.max(1, Math.round((at.getTime() - formerAt.getTime()) / MINUTE_MS))
    const facts = { range, formerRange, minutes, ...counted(records, formerAt, at) }
    return { ...nobody, userId, subject: userId, firstAt: formerAt, lastAt: at, count: records, facts }
  })
}

async function findRefusing(db: Db, span: Span, settings: LogInsightSettings) {
  const rows = await listRefusing(db, span, settings)
  const minutes = settings.refusedMinutes
  return rows.map((row) => {
    const facts = { minutes, ...counted(row.count, row.firstAt, row.lastAt) }
    return { ...nobody, ...row, subject: row.applicationId, facts }
  })
}

async function findLostCodes(db: Db, span: Span, settings: LogInsightSettings) {
  const rows = await listLostCodes(db, span, settings)
  const minutes = settings.lostMinutes
  return rows.map(({ channel, ...times }) => {
    const facts = { channel, minutes, ...counted(times.count, times.firstAt, times.lastAt) }
    return { ...times, ...nobody, subject: channel, facts }
  })
}

const SEARCHES: Readonly<Record<InsightKind, Search>> = {
  spraying: findSpraying,
  'failing-account': findFailing,
  'new-range': findFirst('ip_range'),
  'new-device': findFirst('client_type'),
  'range-hop': findHops,
  refusals: findRefusing,
  'lost-codes': findLostCodes,
}

/** What the records of an interval show, by the current thresholds. */
export async function findInsights(db: Db, span: Span, settings: LogInsightSettings): Promise<Found[]> {
  const all: Found[] = []
  for (const kind of settings.insightKinds) {
    for (const one of await SEARCHES[kind](db, span, settings)) all.push({ kind, ...one })
  }
  return all
}
