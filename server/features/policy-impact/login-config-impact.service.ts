import { isDeepStrictEqual } from 'node:util'
import type { LoginConfigDraft } from '#shared/contract/login-config.ts'
import {
  FIGURE_KEYS,
  IMPACT_ROWS,
  type ImpactFigure,
  LOGIN_CONFIG_FIGURES,
  type LoginConfigFigureKey,
} from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { ReadablePolicy } from '../access/index.ts'
import { findFirstLock } from '../attempts/index.ts'
import { predictDrop } from '../record-retention/index.ts'
import { activityCutoff, countAboveLimit, findEndingSessions, staleBy } from '../sessions/index.ts'
import { loginsAskedCaptcha } from './captcha-impact.service.ts'
import { predictDormancy } from './dormancy-impact.service.ts'
import { predictFactors } from './factor-impact.service.ts'
import { type Found, NOTHING, PASSWORD, toFigure, toRow } from './impact-figures.rules.ts'
import { type Look, lookBack, withPrediction } from './look-back.service.ts'
import {
  countLogins,
  countOldPasswords,
  findLockCandidates,
  latestLogins,
  listAttempts,
  listOldPasswords,
  listPeople,
} from './policy-impact.store.ts'

type Draft = { before: SignInPolicy; after: SignInPolicy }

async function loginsByType({ since, until, ask }: Look, { before, after }: Draft): Promise<Found> {
  const types = before.loginTypes.filter((type) => !after.loginTypes.includes(type))
  if (types.length === 0) return NOTHING
  const span = { since, until }
  const total = await ask((db) => countLogins(db, span, types))
  const rows = await ask((db) => latestLogins(db, span, { types, limit: IMPACT_ROWS }))
  return { ...total, rows: rows.map(toRow), isCapped: false }
}

const MAX_CANDIDATES = 2000
const MAX_ATTEMPTS = 100_000

/** Attempts of one person count together, whatever the browser: records don't show which one was known. */
async function peopleLocked({ since, until, ask }: Look, { before, after }: Draft): Promise<Found> {
  const span = { since, until }
  const { lockAfterFailures: failures, failureWindowMinutes: minutes } = after
  const query = { type: PASSWORD, failures, minutes, limit: MAX_CANDIDATES }
  const userIds = (await ask((db) => findLockCandidates(db, span, query))).map(({ userId }) => userId)
  if (userIds.length === 0) return NOTHING
  const attempts = await ask((db) => listAttempts(db, span, { type: PASSWORD, userIds, limit: MAX_ATTEMPTS }))
  const locked = [...Map.groupBy(attempts, ({ userId }) => userId)].flatMap(([userId, events]) => {
    const at = findFirstLock(events, before) ? null : findFirstLock(events, after)
    return at ? [{ userId, at }] : []
  })
  const latest = locked.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, IMPACT_ROWS)
  const ids = latest.map(({ userId }) => userId)
  const people = new Map((await ask((db) => listPeople(db, ids))).map((person) => [person.id, person]))
  const rows = latest.flatMap(({ userId, at }) => {
    const person = people.get(userId)
    return person ? [toRow({ ...person, userId, at, ip: null })] : []
  })
  const isCapped = userIds.length === MAX_CANDIDATES || attempts.length === MAX_ATTEMPTS
  return { count: locked.length, people: locked.length, rows, isCapped }
}

async function sessionsEnded({ until, ask }: Look, { before, after }: Draft): Promise<Found> {
  const times = { before: staleBy(before, until), after: staleBy(after, until) }
  const { rows, ...total } = await ask((db) => findEndingSessions(db, times, IMPACT_ROWS))
  return { ...total, rows: rows.map(toRow), isCapped: false }
}

async function sessionsAboveLimit({ until, ask }: Look, { after }: Draft): Promise<Found> {
  if (after.mostSessions === 0) return NOTHING
  const asked = { ...activityCutoff(after, until), most: after.mostSessions, limit: IMPACT_ROWS }
  const { people, rows } = await ask((db) => countAboveLimit(db, asked))
  return { count: people, people, rows: rows.map((row) => toRow({ ...row, ip: null })), isCapped: false }
}

async function passwordsTooOld({ until, ask }: Look, { before, after }: Draft): Promise<Found> {
  const ages = { before, after, now: until }
  const people = await ask((db) => countOldPasswords(db, ages))
  const rows = people > 0 ? await ask((db) => listOldPasswords(db, ages, IMPACT_ROWS)) : []
  return { count: people, people, rows: rows.map(toRow), isCapped: false }
}

async function recordsDropped({ until, ask }: Look, { after }: Draft): Promise<Found> {
  const { records, months } = await ask((db) => predictDrop({ db, now: () => until }, after))
  return { ...NOTHING, count: records, months }
}

const PREDICT: Readonly<Record<LoginConfigFigureKey, (look: Look, draft: Draft) => Promise<Found>>> = {
  'logins-by-type': loginsByType,
  'people-locked': peopleLocked,
  'sessions-ended': sessionsEnded,
  'sessions-above-limit': sessionsAboveLimit,
  'passwords-too-old': passwordsTooOld,
  'records-dropped': recordsDropped,
  'logins-captcha-risk': loginsAskedCaptcha,
}

/**
 * Predicts the effect of an unsaved login configuration from the records of the last days: only figures that depend on what changes.
 * Answers within three seconds, with less detail if there are too many records.
 * @throws Refusal `service.busy`.
 */
export async function predictLoginConfig(
  ctx: Context,
  { changes, reset }: LoginConfigDraft,
): Promise<{ figures: ImpactFigure[] }> {
  const { value } = await findSettingsDocument(ctx.db, 'login')
  const kept = Object.entries({ ...value, ...changes }).filter(([key]) => !(reset as string[]).includes(key))
  const draft = { before: ReadablePolicy.parse(value), after: ReadablePolicy.parse(Object.fromEntries(kept)) }
  const isTouched = (key: keyof typeof FIGURE_KEYS) =>
    FIGURE_KEYS[key].some((name) => !isDeepStrictEqual(draft.before[name], draft.after[name]))
  return await withPrediction(async () => {
    const figures = LOGIN_CONFIG_FIGURES.filter(isTouched).map(async (key) =>
      toFigure(key, await lookBack(ctx, (look) => PREDICT[key](look, draft)), ctx.now()),
    )
    const ofFactors = isTouched('people-factor') ? predictFactors(ctx, draft) : []
    const [factors, ofDormancy, ...others] = await Promise.all([
      ofFactors,
      predictDormancy(ctx, draft.after, isTouched),
      ...figures,
    ])
    return { figures: [...others, ...factors, ...ofDormancy] }
  })
}
