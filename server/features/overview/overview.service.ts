import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Overview } from '#shared/contract/overview.ts'
import { DAY_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { projectFile } from '../../platform/project-files.ts'
import { loadInstitutionZone } from '../messages/index.ts'
import { MAX_KEY_AGE_DAYS } from '../signing-keys/index.ts'
import {
  countEnding,
  countLoginsByType,
  countQueues,
  findDatabaseFacts,
  findFigures,
  type JobRow,
  type LocalTime,
  type LoginCountRow,
  listDays,
  listHours,
  listJobRuns,
  listTopApplications,
} from './overview.store.ts'

/** Grants that end within this period deserve attention. */
const EXPIRING_SOON_MS = 14 * DAY_MS

/** Computed once per half minute and node, however many look at it. */
export const getOverview = (ctx: Context): Promise<Overview> =>
  ctx.cache.read('overview', ctx.client.language, () => loadOverview(ctx, ctx.client.language))

async function loadOverview(platform: Platform, language: Language): Promise<Overview> {
  const db = platform.sql
  const moment: LocalTime = { now: platform.now(), zone: await loadInstitutionZone(platform) }
  const dayAgo = new Date(moment.now.getTime() - DAY_MS)
  const soon = new Date(moment.now.getTime() + EXPIRING_SOON_MS)
  const [hours, trend, sums, applications, figures, runs, queues, ending, facts] = await Promise.all([
    listHours(db, moment),
    listDays(db, moment),
    countLoginsByType(db, moment, language),
    listTopApplications(db, moment, language),
    findFigures(db),
    listJobRuns(db),
    countQueues(db, dayAgo),
    countEnding(db, moment.now, soon, dayAgo),
    loadFacts(platform),
  ])
  const shown = hours.map(({ hour, isToday, ...row }) => ({ isToday, row: { ...row, hour: hour.toISOString() } }))
  const jobs = runs.map((run) => toJob(run, moment.now))
  const { people } = figures
  return {
    at: moment.now.toISOString(),
    timeZone: moment.zone,
    countedAt: toIso(figures.countedAt),
    today: trend.at(-1)?.day ?? '',
    hours: {
      today: shown.filter(({ isToday }) => isToday).map(({ row }) => row),
      yesterday: shown.filter(({ isToday }) => !isToday).map(({ row }) => row),
    },
    active: figures.active ?? { people: 0, logins: 0 },
    people,
    loginTypes: typesOf(sums),
    places: placesOf(sums),
    applications: [...applications],
    trend: [...trend],
    jobs,
    queues,
    facts,
    todos: todosOf({
      jobs: jobs.filter(({ state }) => state !== 'well').length,
      gateways: ending.gateways,
      messages: queues.messages.failed,
      logouts: queues.logouts.failed,
      tasks: queues.tasks.failed,
      locked: people?.locked ?? 0,
      'locked-by-failures': ending.lockedByFailures,
      grants: ending.grants,
      appointments: ending.appointments,
      'app-keys': ending.appKeys,
    }),
  }
}

const todosOf = (counts: Record<Overview['todos'][number]['kind'], number>): Overview['todos'] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({ kind: kind as Overview['todos'][number]['kind'], count }))

function typesOf(sums: readonly LoginCountRow[]): Overview['loginTypes'] {
  const types = new Map<string, Overview['loginTypes'][number]>()
  for (const { authType, provider, logins } of sums) {
    types.set(authType, { authType, provider, logins: (types.get(authType)?.logins ?? 0) + logins })
  }
  return [...types.values()].toSorted((a, b) => b.logins - a.logins)
}

function placesOf(sums: readonly LoginCountRow[]): Overview['places'] {
  const total = (onCampus: boolean) =>
    sums.filter((sum) => sum.onCampus === onCampus).reduce((all, { logins }) => all + logins, 0)
  return { onCampus: total(true), offCampus: total(false) }
}

/** Minutes between two runs: schedules are every minute, every few minutes or once a day. */
function minutesBetween(cron: string): number {
  const [minute = '*', hour = '*'] = cron.split(' ')
  const every = /^\*\/(\d+)$/.exec(minute)
  if (every) return Number(every[1])
  if (minute === '*') return 1
  return hour === '*' ? 60 : 1440
}

function toJob(
  { name, cron, startedAt, finishedAt, ms, error, failures }: JobRow,
  now: Date,
): Overview['jobs'][number] {
  const patience = (2 * minutesBetween(cron) + 10) * MINUTE_MS
  const isLate = now.getTime() - startedAt.getTime() > patience
  const lastRun = (finishedAt ?? startedAt).toISOString()
  return {
    name,
    state: failures > 0 ? 'failed' : isLate ? 'late' : 'well',
    lastRun,
    ms,
    error: failures > 0 ? error : null,
  }
}

const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
  version: string
}

async function loadFacts({ sql, config }: Platform): Promise<Overview['facts']> {
  const [{ database, databaseBytes, signingKey }, disk] = await Promise.all([
    findDatabaseFacts(sql),
    statfs(config.dataDir)
      .catch(() => statfs('.'))
      .catch(() => null),
  ])
  return {
    version,
    node: process.versions.node,
    database,
    databaseBytes,
    disk: disk && { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
    signingKey: signingKey && {
      createdAt: signingKey.toISOString(),
      renewsAt: new Date(signingKey.getTime() + MAX_KEY_AGE_DAYS * DAY_MS).toISOString(),
    },
  }
}
