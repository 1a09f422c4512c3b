import type { ImpactFigure, ImpactFigureKey, ImpactRow } from '#shared/contract/policy-impact.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Looked } from './look-back.service.ts'

/** What was found for a figure; `isCapped`: there may be more. */
export type Found = Pick<ImpactFigure, 'count' | 'people' | 'rows' | 'months'> & { isCapped: boolean }

/** The login method password, as named in settings and records. */
export const PASSWORD = 'user'
export const NOTHING: Found = { count: 0, people: 0, rows: [], isCapped: false }

type RowOf = { userId: string; account: string; name: string; at: Date | null; typed?: string; ip: string | null }
export const toRow = ({ userId, account, name, at, typed = undefined, ip }: RowOf): ImpactRow => ({
  person: { id: userId, account, name },
  at: toIso(at),
  typed: typed ?? null,
  ip,
  application: null,
  places: null,
})

/** Figures about the current state: the period examined doesn't matter. */
const ABOUT_NOW: readonly ImpactFigureKey[] = [
  'sessions-ended',
  'sessions-above-limit',
  'passwords-too-old',
  'records-dropped',
]

/** A figure as it is returned; null: nothing could be read in time. */
export function toFigure(key: ImpactFigureKey, looked: Looked<Found> | null, now: Date): ImpactFigure {
  const { count, people, rows, months, isCapped } = looked?.found ?? NOTHING
  const isAboutNow = ABOUT_NOW.includes(key)
  const since = looked?.since ?? now
  const isAtLeast = looked === null || isCapped || (!looked.isAll && !isAboutNow)
  const lookedBackTo = isAboutNow ? null : since.toISOString()
  return { key, field: null, count, people, rows, isAtLeast, lookedBackTo, ...(months && { months }) }
}
