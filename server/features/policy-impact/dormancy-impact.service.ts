import {
  DORMANCY_FIGURES,
  type DormancyFigureKey,
  IMPACT_ROWS,
  type ImpactFigure,
} from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { readWithin } from '../../platform/read-within.ts'
import { predictRun } from '../dormancy/index.ts'
import { toRow } from './impact-figures.rules.ts'

/** Two scans of everybody. */
const TIME_MS = 2500

/**
 * What the next nightly dormancy run would do under a policy.
 * @param isTouched does the figure depend on what is changed?
 */
export async function predictDormancy(
  ctx: Context,
  policy: SignInPolicy,
  isTouched: (key: DormancyFigureKey) => boolean,
): Promise<ImpactFigure[]> {
  const keys = DORMANCY_FIGURES.filter(isTouched)
  if (keys.length === 0) return []
  const now = ctx.now()
  const read = await readWithin(ctx, TIME_MS, (ask) => predictRun(ask, policy, { now, limit: IMPACT_ROWS }))
  if (!read) return keys.filter((key) => key !== 'run-held').map((key) => toFigure(key, 0, true))
  const { dormant, locked, told, isHeld, ended } = read.value
  const slept = ended.dormant.map(({ id, idleFrom, ...person }) =>
    toRow({ ...person, userId: id, at: idleFrom, ip: null }),
  )
  const shut = ended.lock.map(({ id, idleFrom, dormantSince, ...person }) =>
    toRow({ ...person, userId: id, at: dormantSince ?? idleFrom, ip: null }),
  )
  const most = isHeld ? Math.max(dormant, locked, told) : 0
  const found: Record<DormancyFigureKey, ImpactFigure> = {
    'people-dormant': { ...toFigure('people-dormant', dormant), rows: slept },
    'dormant-locked': { ...toFigure('dormant-locked', locked), rows: shut },
    // People who would only be notified are not listed: finding them takes another scan.
    'run-held': { ...toFigure('run-held', most), rows: most === dormant ? slept : most === locked ? shut : [] },
  }
  return keys.map((key) => found[key])
}

/** It is about the next night: there is nothing to look back at. */
const toFigure = (key: DormancyFigureKey, count: number, isAtLeast = false): ImpactFigure => ({
  key,
  field: null,
  count,
  people: count,
  isAtLeast,
  lookedBackTo: null,
  rows: [],
})
